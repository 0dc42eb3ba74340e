import { type ComponentChildren, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Station } from '../../clients/typescript/src/generated.js';
import {
  DEFAULT_PARAMS,
  NO_DEGREES,
  type PageParams,
  readParams,
  formatSearch,
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
import { ByDate } from './panels/by-date.js';
import { ByHour } from './panels/by-hour.js';
import { ByLeadTime } from './panels/by-lead-time.js';
import { Departures } from './panels/departures.js';
import { Distribution } from './panels/distribution.js';
import { Events } from './panels/events.js';
import { Headline } from './panels/headline.js';
import { Map } from './panels/map.js';
import { Misses } from './panels/misses.js';
import { Probabilities } from './panels/odds.js';
import { Providers } from './panels/providers.js';
import { Ranking } from './panels/ranking.js';
import { Reliability } from './panels/reliability.js';
import { Scorecard } from './panels/scorecard.js';
import { hasView, published } from './published.js';
import { Sealed } from './seal.js';
import { Alerts } from './suspects.js';
import { Term } from './term.js';
import { getChance } from './variables.js';
import { setUnits, valueUnit } from './words.js';

interface State {
  params: PageParams;
  load: Load;
  message?: MessageState | undefined;
}

function App() {
  const [{ params: requested, load, message }, setState] = useState<State>(() =>
    started(readParams(location.search)),
  );
  const begin = (to: PageParams): void => {
    setState((before) => {
      before.load.stop();
      return started(to);
    });
  };
  const show = (next: MessageState): void => setState({ params: requested, load, message: next });
  const { units, hasUnit } = useUnit(requested, load);
  const params = useMemo(() => ({ ...requested, units }), [requested, units]);
  setUnits(units, requested.metric);
  const [announcement, announce] = useState('');
  const [ready, setReady] = useState({ of: 0, hasPairs: false });
  const [isPrinted, startPrint] = usePrint();
  // A panel's first report is made at its mount, so the titles stay in the page's order.
  const [lacks, setLacks] = useState<Record<string, string | undefined>>({});
  const page = useMemo<Page>(
    () => ({
      params,
      load,
      ...makeChanges(units, begin, (to) => setState((before) => ({ params: to, load: before.load }))),
      fail(error) {
        load.stop();
        if (!isRefusal(error)) show({ kind: 'error', error });
        else {
          keepKey('');
          show({ kind: 'key', apiError: 'This key is not valid: it is unknown, mistyped or revoked.' });
        }
      },
      reload: () => begin(requested),
      announce,
      reportLack: (title, needs) => setLacks((others) => ({ ...others, [title]: needs })),
      hasUnit,
      isReady: ready.of === load.number,
      isPrinted,
    }),
    [params, load, hasUnit, ready, isPrinted],
  );
  useHistory(requested, begin);
  return (
    <PageContext.Provider value={page}>
      {message?.kind !== 'key' && <Controls />}
      <Service print={message === undefined ? startPrint : undefined} />
      <main id="content" tabIndex={-1}>
        <AgeOfCopy />
        {message === undefined ? (
          <Panels
            hasPairs={ready.of !== load.number || ready.hasPairs}
            showReady={(hasPairs) => setReady({ of: load.number, hasPairs })}
            showNoData={() => show({ kind: 'no-data' })}
          >
            <Lacks lacks={lacks} />
          </Panels>
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
): Pick<Page, 'change' | 'open' | 'keep'> {
  const write = (to: PageParams, way: 'pushState' | 'replaceState'): PageParams => {
    history[way](null, '', location.pathname + formatSearch(to));
    return to;
  };
  return {
    change(part) {
      const now = readParams(location.search);
      const toCelsius = isInCelsius(part.units);
      const isSwitched = part.units !== undefined && toCelsius !== isInCelsius(units);
      const degrees =
        'station_id' in part ? { ...NO_DEGREES, city: '' } : isSwitched && convertDegrees(now, toCelsius);
      begin(write({ ...now, ...degrees, ...part }, 'pushState'));
    },
    open: (part) => begin(write({ ...readParams(location.search), ...part }, 'replaceState')),
    keep: (part) => keep(write({ ...readParams(location.search), ...part }, 'replaceState')),
  };
}

/** Prints the page once all of its panels have come. */
function usePrint(): [isPrinted: boolean, start: () => void] {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    if (!isPrinted) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector('.panel[aria-busy=true]') !== null) return;
      setPrinted(false);
      print();
    }, 100);
    return () => clearInterval(timer);
  }, [isPrinted]);
  return [isPrinted, () => setPrinted(true)];
}

/** Follows the way back, a jump within the page, and a link with a key. */
function useHistory(requested: PageParams, begin: (to: PageParams) => void): void {
  useEffect(() => {
    const follow = (): void => {
      const to = readParams(location.search);
      if (takeKeyFromAddress() || formatSearch(to) !== formatSearch(requested)) begin(to);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [requested]);
}

/** @param print undefined while there is nothing to print */
function Service({ print }: { print: (() => void) | undefined }) {
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
      {print && (
        <button type="button" class="plain" onClick={print}>
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

interface PanelsProps {
  /** Panels about the pairs of a request have nothing to show without any. */
  hasPairs: boolean;
  showReady: (hasPairs: boolean) => void;
  showNoData: () => void;
  /** Below the panels. */
  children: ComponentChildren;
}

function Panels({ hasPairs, showReady, showNoData, children }: PanelsProps) {
  const page = usePage();
  const { params, isReady } = page;
  const { response: stations } = useResponse(() => loadStations(page), isReady);
  useEffect(() => {
    if (stations?.length === 0) showNoData();
  }, [stations]);
  const isOfOthers = hasPairs || params.station_id !== '';
  const isChance = getChance(params) !== undefined;
  return (
    <div id="panels">
      <Headline showReady={showReady} />
      {isChance ? isOfOthers && <Reliability /> : hasPairs && <ByDate />}
      {hasPairs && <ByLeadTime />}
      {isOfOthers && <ByHour />}
      {hasPairs && isChance && <ByDate />}
      {isOfOthers && <Departures />}
      {hasPairs && <Distribution />}
      {hasPairs && !published && <Probabilities />}
      {isOfOthers && !isChance && <Reliability />}
      {isOfOthers && <Providers />}
      {hasPairs && <Scorecard />}
      {hasPairs && <Events />}
      {hasPairs && <Misses />}
      {isOfOthers && <Ranking />}
      {isOfOthers && <Map />}
      {children}
    </div>
  );
}

/** The panels that have nothing to show, and what they need, in one paragraph. */
function Lacks({ lacks }: { lacks: Record<string, string | undefined> }) {
  const lacking = Object.entries(lacks).filter(([, needs]) => needs !== undefined);
  const byNeed = globalThis.Map.groupBy(lacking, ([, needs]) => needs ?? '');
  if (byNeed.size === 0) return null;
  return (
    <p id="lacks" class="quiet">
      Not shown:{' '}
      {[...byNeed].map(([needs, of]) => `${of.map(([title]) => title).join(', ')} (${needs})`).join('; ')}.
    </p>
  );
}

function Footer() {
  const { load, isReady } = usePage();
  const { response: providers } = useResponse(() => getProviders(load), isReady);
  const { response: freshness } = useResponse(() => load.get('accuracy/freshness'), isReady);
  const there = freshness?.data.sources.filter(({ last_success_at }) => last_success_at !== null);
  const named = [...new Set(there?.flatMap(({ attribution }) => attribution ?? []))];
  // A link stands in the text as its address.
  const parts = `Data: ${named.join('; ')}.`.split(/(https:\/\/[\w./-]*\w)/);
  return (
    <footer>
      <p>
        Error = forecast − observed, in {valueUnit() === 'points' ? 'percentage points' : valueUnit()}. In
        brackets: <Term of="interval">95% intervals</Term>. Days are local to the station. Outlines:{' '}
        <a href="https://github.com/topojson/world-atlas">Natural Earth</a> and{' '}
        <a href="https://github.com/topojson/us-atlas">U.S. Census Bureau</a>.
      </p>
      <Alerts />
      <Sealed />
      {providers?.data.some(({ provider }) => provider.startsWith('made-up-')) && (
        <p>All data here are made up, for a demonstration.</p>
      )}
      {named.length > 0 && (
        <p id="attribution">{parts.map((part, at) => (at % 2 === 0 ? part : <a href={part}>{part}</a>))}</p>
      )}
    </footer>
  );
}

takeKeyFromAddress();
render(<App />, document.getElementById('app')!);
