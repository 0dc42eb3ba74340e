/** @import { ByCity, ByDate, ByLeadTime, Freshness, Question, Station, Summary } from './types.js' */
import {
  FIRST_QUESTION,
  parameters,
  readQuestion,
  searchOf,
  windowBefore,
  windowParameters,
} from './address.js';
import { getJson, saveCsv } from './api.js';
import { showByDate } from './panels/by-date.js';
import { showByLeadTime } from './panels/by-lead-time.js';
import { listen, offerDates, setControls, setStations } from './controls.js';
import { byId, h } from './dom.js';
import { freshnessOf, LATEST_DAYS, showCards, showSentence } from './panels/headline.js';
import { LEVEL } from './panels/intervals.js';
import { currentKey, keepKey, takeKeyFromAddress } from './key.js';
import { charts, maps } from './libraries.js';
import { showMap } from './panels/map.js';
import { showRanking, sortedBy } from './panels/ranking.js';
import { showOddsOf, showProvidersOf, showReliabilityOf } from './panels/trust.js';
import { askForKey, hideMessage, showFault, showNoStations } from './states.js';

/** @type {Question} */
let question = readQuestion(location.search);

/** What is being asked; a new question takes its place. */
let asking = new AbortController();

/** @param {string} name */
const body = (name) => /** @type {HTMLElement} */ (byId(name).querySelector('.body'));

const PANELS = ['headline', 'by-date', 'by-lead-time', 'odds', 'reliability', 'providers', 'map', 'ranking'];

/** @param {string} name @param {boolean} busy */
const setBusy = (name, busy) => byId(name).setAttribute('aria-busy', String(busy));

/** @param {string} text read out to those who do not see the page change */
const announce = (text) => (byId('announcement').textContent = text);

/**
 * A button that saves what a panel shows.
 * @param {string} what
 * @param {string} path
 * @param {() => Record<string, string>} query
 */
function saveButton(what, path, query) {
  const save = () => {
    saveCsv(path, query()).then(
      (name) => announce(`${name} is saved`),
      (/** @type {unknown} */ error) => fail(error),
    );
  };
  return h(
    'button',
    { type: 'button', class: 'save', 'aria-label': `Download CSV of ${what}`, click: save },
    'Download CSV',
  );
}

/** Asks for everything that the question needs; each panel shows its answer as it comes. */
async function load() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (currentKey() === '') {
    askForKey(begin);
    return;
  }
  const asked = question;
  const own = parameters(asked);
  const network = windowParameters(asked);
  const shared = { ...own, align: 'matched' };
  hideMessage();
  byId('forget').hidden = false;
  setControls(asked);
  for (const name of PANELS) setBusy(name, true);

  /** @type {<Answer>(path: string, query: Record<string, string>) => Promise<Answer>} */
  const get = (path, query) => getJson(path, query, signal);
  const summary = /** @type {Promise<Summary>} */ (get('accuracy/summary', { ...own, ci: LEVEL }));
  const byDate = /** @type {Promise<ByDate>} */ (
    get('accuracy/by-date', { ...own, include_preliminary: 'true' })
  );
  const stations = /** @type {Promise<{ data: Station[] }>} */ (get('stations/metadata', {}));
  const byLeadTime = /** @type {Promise<ByLeadTime>} */ (get('accuracy/by-lead-time', shared));
  const byCity = /** @type {Promise<ByCity>} */ (get('accuracy/by-city', { ...network, sort_by: 'mae' }));

  /** @param {unknown} error */
  const failUnlessLeft = (error) => {
    if (!signal.aborted) fail(error);
  };
  /** @param {Question} changed */
  const check = (changed) => {
    showReliabilityOf(body('reliability'), changed, page).catch(failUnlessLeft);
  };
  const page = { get, save: saveButton, keep, check, fail: failUnlessLeft };

  // A link may name the station in any way that the API takes; its answers have the id.
  const station = Promise.all([stations, byDate]).then(([{ data: all }, { data: days }]) => {
    const station_id = days[0] && asked.station_id !== '' ? days[0].station_id : asked.station_id;
    return all.find((each) => each.station_id === station_id);
  });

  /** @type {(name: string, work: () => Promise<void>) => Promise<void>} */
  const panel = async (name, work) => {
    await work();
    if (!signal.aborted) setBusy(name, false);
  };
  try {
    await Promise.all([
      panel('headline', async () => {
        const found = await summary;
        const chosen = asked.station_id === '' ? undefined : await station;
        const name = chosen?.city_name ?? asked.station_id;
        showSentence(byId('headline-title'), asked, found, name);
        if (found.data.mae !== null) showCards(byId('cards'), found, undefined, undefined);
        // When it has been painted, which the tests measure.
        requestAnimationFrame(() => setTimeout(() => performance.mark('first-data')));
        document.title = `${name || 'All stations'}, daily ${asked.metric} – Forecast accuracy`;
        offerDates(found.metadata.period_start, found.metadata.period_end);
        announce(byId('headline-title').textContent ?? '');
        const earlier = windowBefore(found.metadata);
        const before =
          earlier &&
          /** @type {Promise<Summary>} */ (get('accuracy/summary', { ...own, ...earlier, ci: LEVEL }));
        showCards(byId('cards'), found, await before, await freshness(asked, await byDate, get));
      }),
      panel('by-date', async () => {
        const [answer] = await Promise.all([byDate, charts()]);
        if (signal.aborted) return;
        const query = { ...own, include_preliminary: 'true' };
        showByDate(
          body('by-date'),
          answer,
          saveButton('the days', 'accuracy/by-date', () => query),
        );
      }),
      panel('by-lead-time', async () => {
        const [answer] = await Promise.all([byLeadTime, charts()]);
        if (signal.aborted) return;
        showByLeadTime(
          body('by-lead-time'),
          answer,
          saveButton('the lead times', 'accuracy/by-lead-time', () => shared),
        );
      }),
      panel('map', async () => {
        const [{ data: cities }, { data: all }, chosen] = await Promise.all([
          byCity,
          stations,
          station,
          maps(),
        ]);
        if (signal.aborted) return;
        await showMap(
          body('map'),
          cities,
          all,
          { map: asked.map, station_id: chosen?.station_id ?? '' },
          change,
          signal,
        );
      }),
      panel('ranking', async () => {
        const [{ data: cities }, { data: all }, chosen] = await Promise.all([byCity, stations, station]);
        const station_id = chosen?.station_id ?? '';
        setStations(all, station_id);
        const save = saveButton('the stations', 'accuracy/by-city', () => ({ ...network, ...sortedBy() }));
        showRanking(
          body('ranking'),
          cities,
          all,
          station_id,
          (picked) => change({ station_id: picked }),
          save,
        );
        if (all.length === 0) showNoStations();
      }),
      panel('odds', async () => {
        const [chosen] = await Promise.all([station, byLeadTime, charts()]);
        await showOddsOf(body('odds'), asked, chosen, page);
      }),
      panel('reliability', async () => {
        await Promise.all([byCity, charts()]);
        await showReliabilityOf(body('reliability'), asked, page);
      }),
      panel('providers', async () => {
        await Promise.all([byCity, charts()]);
        await showProvidersOf(body('providers'), asked, page);
      }),
      byCity.then(() => nameSources(get)),
    ]);
  } catch (error) {
    failUnlessLeft(error);
  }
}

/**
 * Names those whose data have been collected, as their terms ask; once, since no question changes them.
 * @param {(path: string, query: Record<string, string>) => Promise<Freshness>} get
 */
async function nameSources(get) {
  const place = byId('attribution');
  if (!place.hidden) return;
  const { data } = await get('accuracy/freshness', {});
  const there = data.sources.filter(({ last_success_at }) => last_success_at !== null);
  const named = new Set(there.flatMap(({ attribution }) => attribution ?? []));
  if (named.size === 0) return;
  // A link stands in the text as its address.
  const parts = `Data: ${[...named].join('; ')}.`.split(/(https:\/\/[\w./-]*\w)/);
  place.replaceChildren(
    ...parts.map((part, index) => (index % 2 ? h('a', { href: part, rel: 'noreferrer' }, part) : part)),
  );
  place.hidden = false;
}

/**
 * How fresh the data are: known from a window that ends now and has data; of any other, the latest days are asked for.
 * @param {Question} asked
 * @param {ByDate} days
 * @param {(path: string, query: Record<string, string>) => Promise<ByDate>} get
 */
async function freshness({ metric, station_id, date_from, date_to }, days, get) {
  let found = date_from === '' && date_to === '' ? freshnessOf(days) : null;
  for (const last of [14, LATEST_DAYS]) {
    found ??= freshnessOf(await get('accuracy/by-date', { metric, station_id, days: `${last}` }));
  }
  return found;
}

/** @param {unknown} error */
function fail(error) {
  asking.abort();
  showFault(error, {
    retry: () => void load(),
    startOver: () => change(FIRST_QUESTION),
    enterKey: (fault) => askForKey(begin, fault),
  });
}

/**
 * Keeps in the address what a panel has changed by itself.
 * @param {Partial<Question>} part
 */
function keep(part) {
  question = { ...question, ...part };
  history.replaceState(null, '', location.pathname + searchOf(question));
}

/** @param {Partial<Question>} part what differs from now on */
function change(part) {
  question = { ...question, ...part };
  history.pushState(null, '', location.pathname + searchOf(question));
  void load();
}

function begin() {
  void load();
}

addEventListener('popstate', () => {
  const asked = readQuestion(location.search);
  // A jump within the page comes here, too.
  if (searchOf(asked) === searchOf(question)) return;
  question = asked;
  void load();
});
addEventListener('hashchange', () => {
  // A link with a key, followed in a tab that shows the page already.
  if (takeKeyFromAddress()) void load();
});
byId('forget').addEventListener('click', () => {
  asking.abort();
  keepKey('');
  askForKey(begin);
});

takeKeyFromAddress();
listen(change);
void load();
