import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Station } from '../../clients/typescript/src/generated.js';
import {
  DEFAULT_PARAMS,
  NO_DEGREES,
  type PageParams,
  readParams,
  formatSearch,
  getTab,
  TABS,
  unknownWords,
} from './address.js';
import { ApiError, isRefusal, Load, NOT_PUBLISHED, getProviders } from './api.js';
import { Controls } from './controls.js';
import { AgeOfCopy } from './copy.js';
import { convertDegrees } from './degrees.js';
import { currentKey, isPublic, keepKey, takeKeyFromAddress } from './key.js';
import { Message, type MessageState } from './message.js';
import {
  type Page,
  PageContext,
  findStation,
  followsStation,
  getOwnUnit,
  loadStations,
  loadSummary,
  toRequestUnits,
  useResponse,
  usePage,
} from './page.js';
import { Panel } from './panel.js';
import { Headline } from './panels/headline.js';
import { recallPlace, rememberPlace } from './place.js';
import { hasView, isOffered, published } from './published.js';
import { Sources } from './sources.js';
import { findTabOf, findTabs } from './tab-list.js';
import { Tabs } from './tabs.js';
import { Term } from './term.js';
import { setUnits, valueUnit } from './words.js';

interface State {
  params: PageParams;
  load: Load;
  message?: MessageState | undefined;
}

function App() {
  const [{ params: requested, load, message }, setState] = useState<State>(() => started(readAddress()));
  const begin = (to: PageParams): void => {
    setState((before) => {
      before.load.stop();
      return started(to);
    });
  };
  const keep = (to: PageParams): void => setState((before) => ({ params: to, load: before.load }));
  const tell = (next: MessageState): void => setState({ params: requested, load, message: next });
  const { units, hasUnit } = useUnit(requested, load);
  const params = useMemo(() => ({ ...requested, units }), [requested, units]);
  setUnits(units, requested.metric);
  const [announcement, announce] = useState('');
  const [ready, setReady] = useState({ of: 0, hasPairs: false });
  const page = useMemo<Page>(
    () => ({
      params,
      load,
      ...makeChanges(units, begin, keep),
      fail(error) {
        load.stop();
        if (isUnknownPlace(error)) begin(write({ ...requested, station_id: '' }, 'replaceState'));
        else if (!isRefusal(error)) tell({ kind: 'error', error });
        else {
          keepKey('');
          tell({ kind: 'key', apiError: 'This key is not valid: it is unknown, mistyped or revoked.' });
        }
      },
      reload: () => begin(requested),
      announce,
      hasUnit,
      isReady: ready.of === load.number,
    }),
    [params, load, hasUnit, ready],
  );
  useHistory(requested, begin, keep);
  return (
    <PageContext.Provider value={page}>
      {message?.kind !== 'key' && <Controls />}
      <Service hasNumbers={message === undefined} />
      <main id="content" tabIndex={-1}>
        <AgeOfCopy />
        {message === undefined ? (
          <Content
            hasPairs={ready.of !== load.number || ready.hasPairs}
            showReady={(hasPairs) => setReady({ of: load.number, hasPairs })}
            showNoData={() => tell({ kind: 'no-data' })}
          />
        ) : (
          <Message {...message} />
        )}
        <p id="announcement" class="visually-hidden" role="status">
          {announcement}
        </p>
      </main>
      <Footer />
    </PageContext.Provider>
  );
}

/** The request of the address. A link of before may end in the name of a panel. */
function readAddress(): PageParams {
  const params = readParams(location.search);
  return { ...params, view: params.view || (findTabOf(location.hash.slice(1), params) ?? '') };
}

const write = (to: PageParams, way: 'pushState' | 'replaceState'): PageParams => {
  history[way](OWN_STATE, '', location.pathname + formatSearch(to));
  return to;
};

/** The state of each entry of the history that the page has shown: such an entry is as its address says. */
const OWN_STATE = {};

/** Opens the station of the last visit, where nothing is in the address: a link to something is as it says. */
function openLastPlace(): void {
  const station_id = recallPlace();
  const isBare = location.search === '' && location.hash === '' && history.state === null;
  const isKnown = isBare && station_id !== '' && isOffered('station_id', station_id);
  history.replaceState(
    OWN_STATE,
    '',
    isKnown ? formatSearch({ ...DEFAULT_PARAMS, station_id }) : location.href,
  );
}

/** Whether a station that the device remembers is not there any more; it is forgotten. */
function isUnknownPlace(error: unknown): boolean {
  const isRemembered = readParams(location.search).station_id === recallPlace();
  if (!isRemembered || !(error instanceof ApiError) || error.code !== 'STATION_NOT_FOUND') return false;
  rememberPlace('');
  return true;
}

/** The units of a request: until those of its station are known, the ones before stay, as its view does. */
function useUnit(requested: PageParams, load: Load) {
  const [reported, setReported] = useState({ of: 0, units: '' });
  const isOfStation = followsStation(requested);
  const hasUnit = !isOfStation || reported.of === load.number;
  useEffect(() => {
    if (hasUnit) return;
    const resolve = (station?: Station): void => {
      if (!load.signal.aborted) setReported({ of: load.number, units: getOwnUnit(station) });
    };
    findStation({ params: requested, load }).then(resolve, () => resolve());
  }, [load]);
  const units = isOfStation ? reported.units : requested.units;
  return { units: toRequestUnits({ ...requested, units }), hasUnit };
}

const isInCelsius = (units = ''): boolean => ['metric', 'si'].includes(units);

/**
 * The changes of a page, each of the request in the address: a dimmed view has the page as it was.
 * @param units the present ones
 */
function makeChanges(
  units: string,
  begin: (to: PageParams) => void,
  keep: (to: PageParams) => void,
): Pick<Page, 'change' | 'open' | 'keep' | 'show'> {
  // Without a word of its own, the tab would change with the words that imply it.
  const read = (): PageParams => {
    const now = readAddress();
    return { ...now, view: getTab(now) };
  };
  return {
    change(part) {
      const now = read();
      const toCelsius = isInCelsius(part.units);
      const isSwitched = part.units !== undefined && toCelsius !== isInCelsius(units);
      const degrees =
        'station_id' in part ? { ...NO_DEGREES, city: '' } : isSwitched && convertDegrees(now, toCelsius);
      if (part.station_id !== undefined) rememberPlace(part.station_id);
      begin(write({ ...now, ...degrees, ...part }, 'pushState'));
    },
    open: (part) => begin(write({ ...read(), ...part }, 'replaceState')),
    keep: (part) => keep(write({ ...read(), ...part }, 'replaceState')),
    show: (view) => keep(write({ ...read(), view }, 'pushState')),
  };
}

/** Follows the way back, a jump within the page, and a link with a key. A tab alone keeps its responses. */
function useHistory(
  requested: PageParams,
  begin: (to: PageParams) => void,
  keep: (to: PageParams) => void,
): void {
  useEffect(() => {
    const follow = (): void => {
      const to = readAddress();
      const isSame = formatSearch({ ...to, view: '' }) === formatSearch({ ...requested, view: '' });
      if (takeKeyFromAddress() || !isSame) begin(to);
      else keep(to);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [requested]);
}

function Service({ hasNumbers }: { hasNumbers: boolean }) {
  const { reload } = usePage();
  const forget = (): void => {
    keepKey('');
    reload();
  };
  return (
    <nav class="service row" aria-label="Service">
      {!published ? (
        [<a href="docs">API docs</a>, <a href="openapi.json">OpenAPI</a>]
      ) : (
        <a href="publish.json">Data files</a>
      )}
      {hasNumbers && (
        <button type="button" class="plain" onClick={() => print()}>
          Print
        </button>
      )}
      {currentKey() !== '' && (
        <button type="button" id="forget" class="plain" onClick={forget}>
          Forget key
        </button>
      )}
    </nav>
  );
}

/** A request begins with its load, and with its first response under way; or with the form for the key. */
function started(params: PageParams): State {
  const load = new Load();
  if (currentKey() === '' && !isPublic()) return { params, load, message: { kind: 'key' } };
  const unknown = unknownWords(location.search);
  if (unknown.length > 0) return { params, load, message: { kind: 'error', error: rejectWords(unknown) } };
  if (!hasView(params, DEFAULT_PARAMS)) {
    const error = new ApiError(NOT_PUBLISHED, 'Choose one of the views above.');
    return { params, load, message: { kind: 'error', error } };
  }
  const own = { ...params, units: toRequestUnits(params) };
  const first = followsStation(params) ? loadStations({ load }) : loadSummary({ params: own, load });
  first.catch(() => {}); // the headline asks for the same
  return { params, load };
}

/** The error of words in the address that the page does not have. Ignored, they would change the request. */
const rejectWords = (unknown: string[]): ApiError =>
  new ApiError(
    'INVALID_PARAMETER',
    `The address has unknown words: ${unknown.join(', ')}. Known: ${Object.keys(DEFAULT_PARAMS).join(', ')}.`,
  );

interface ContentProps {
  /** Panels about the pairs of a request have nothing to show without any. */
  hasPairs: boolean;
  showReady: (hasPairs: boolean) => void;
  showNoData: () => void;
}

/** The headline, the tabs, and the panels of the one that is shown. */
function Content({ hasPairs, showReady, showNoData }: ContentProps) {
  const page = usePage();
  const { params, load, isReady } = page;
  const { response: stations } = useResponse(() => loadStations(page), isReady);
  const { response: providers } = useResponse(() => getProviders(load), isReady);
  useEffect(() => {
    if (stations?.length === 0) showNoData();
  }, [stations]);
  const tabs = findTabs({
    ...{ params, hasPairs, isCopy: published !== undefined },
    providers: providers?.data,
  });
  const offered = tabs.filter(({ panels }) => panels.length > 0);
  const wanted = getTab(params);
  const shown = offered.find(({ name }) => name === wanted) ?? offered[0];
  const [lacks, setLacks] = useState<Record<string, string | undefined>>({});
  const hidden = shown?.panels.flatMap(({ id }) => lacks[id] ?? []) ?? [];
  return (
    <>
      <Headline showReady={showReady} isDetailed={shown?.name === 'good'} />
      {shown && <Tabs offered={offered} shown={shown.name} />}
      <div {...{ id: 'panels', role: 'tabpanel' }} aria-labelledby={shown && `tab-${shown.name}`}>
        {shown?.panels.map((of) => (
          <Panel
            {...{ of, key: `${shown.name} ${of.id}` }}
            report={(needs) => setLacks((others) => ({ ...others, [of.id]: needs }))}
          />
        ))}
        {shown && hidden.length === shown.panels.length && (
          <p class="empty">Nothing to show: it {[...new Set(hidden)].join('; ')}.</p>
        )}
      </div>
      {hasPairs && (
        <p id="lacks" class="quiet">
          {tabs.flatMap(({ name, panels, lack = '' }) =>
            panels.length > 0 ? [] : [`“${TABS[name]}” ${lack}. `],
          )}
        </p>
      )}
    </>
  );
}

function Footer() {
  const { params, load, isReady } = usePage();
  const { response: providers } = useResponse(() => getProviders(load), isReady);
  return (
    <footer>
      <p>
        Error = forecast − observed, in {valueUnit() === 'points' ? 'percentage points' : valueUnit()}. In
        brackets: <Term of="interval">95% intervals</Term>. Days are local to the station. Outlines:{' '}
        <a href="https://github.com/topojson/world-atlas">Natural Earth</a> and{' '}
        <a href="https://github.com/topojson/us-atlas">U.S. Census Bureau</a>.
      </p>
      <ul id="alerts">
        {providers?.data.flatMap(({ provider, alarms }) =>
          alarms.map((alarm) => (
            <li class="alarm">
              <a href={formatSearch({ ...params, provider })}>{alarm}</a>
            </li>
          )),
        )}
      </ul>
      <Sources />
      {providers?.data.some(({ provider }) => provider.startsWith('made-up-')) && (
        <p>All data here are made up, for a demonstration.</p>
      )}
    </footer>
  );
}

openLastPlace();
takeKeyFromAddress();
render(<App />, document.getElementById('app')!);
