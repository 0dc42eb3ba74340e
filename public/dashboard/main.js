/** @import { Freshness, Page, Provider, Question, Station } from './types.js' */
import { FIRST_QUESTION, readQuestion, searchOf, unknownWords } from './address.js';
import { ApiFault, getJson, saveCsv } from './api.js';
import { listen, setControls, setProviders, setStations } from './controls.js';
import { byId, h } from './dom.js';
import { currentKey, isPublic, keepKey, takeKeyFromAddress } from './key.js';
import { showByDate } from './panels/by-date.js';
import { showByLeadTime } from './panels/by-lead-time.js';
import { showEvents } from './panels/events.js';
import { showHeadline, summaryOf } from './panels/headline.js';
import { showMap } from './panels/map.js';
import { showOdds } from './panels/odds.js';
import { showProviders } from './panels/providers.js';
import { showRanking } from './panels/ranking.js';
import { showReliability } from './panels/reliability.js';
import { showScorecard } from './panels/scorecard.js';
import {
  askForKey,
  hideMessage,
  isOfOneAnswer,
  loading,
  panelFault,
  showFault,
  showNoStations,
} from './states.js';
import { setUnit, unit } from './words.js';

/** Each shows itself, asks what it needs, and fails alone. @type {Record<string, (place: HTMLElement, page: Page) => Promise<void>>} */
const PANELS = {
  'by-date': showByDate,
  'by-lead-time': showByLeadTime,
  odds: showOdds,
  reliability: showReliability,
  providers: showProviders,
  scorecard: showScorecard,
  events: showEvents,
  map: showMap,
  ranking: showRanking,
};

/** The panels that have nothing to show where a question has no pairs; the others are about all stations. */
const OF_ITS_PAIRS = ['by-date', 'by-lead-time', 'odds', 'events', 'scorecard'];

/** How the providers of the sample are called. */
const MADE_UP = 'made-up-';

/** @type {Question} */
let question = readQuestion(location.search);

/** The question that is being asked; a new one takes its place. */
let asking = new AbortController();

/** @type {IntersectionObserver | undefined} */
let inView;

/** @param {string} name @param {boolean} busy */
const setBusy = (name, busy) => byId(name).setAttribute('aria-busy', String(busy));

/** @param {string} text read out to those who do not see the page change */
const announce = (text) => (byId('announcement').textContent = text);

/**
 * The page as the panels have it, for one question.
 * @param {Question} asked
 * @param {AbortSignal} signal
 * @returns {Page}
 */
function pageOf(asked, signal) {
  /** @type {Map<string, Promise<any>>} */
  const answers = new Map();
  /** @type {Page['get']} */
  const get = (path, query) => {
    const name = `${path} ${JSON.stringify(query)}`;
    const answer = answers.get(name) ?? getJson(path, query, signal);
    answers.set(name, answer);
    answer.catch(() => answers.delete(name)); // to be asked for again
    return answer;
  };
  const stations = async () => /** @type {{ data: Station[] }} */ (await get('stations/metadata', {})).data;
  return {
    question: asked,
    signal,
    get,
    stations,
    // A link may name the station in any way that the API takes; its answers have the id.
    async station() {
      const all = await stations();
      if (asked.station_id === '') return all.length === 1 ? all[0] : undefined;
      const named = all.find(({ station_id }) => station_id === asked.station_id);
      if (named !== undefined) return named;
      const { metadata } = await summaryOf({ question: asked, get });
      return all.find(({ station_id }) => station_id === metadata.station_id);
    },
    save: saveButton,
    change,
    keep(part, ...names) {
      question = { ...question, ...part };
      history.replaceState(null, '', location.pathname + searchOf(question));
      const page = { ...this, question };
      for (const name of names) void showPanel(name, page);
    },
  };
}

/** @type {Page['save']} */
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

/** Asks for what the question needs: the headline first, and a panel when it comes into view. */
async function load() {
  asking.abort();
  inView?.disconnect();
  asking = new AbortController();
  const { signal } = asking;
  if (currentKey() === '' && !isPublic()) {
    askForKey(load);
    return;
  }
  const page = pageOf(question, signal);
  hideMessage();
  byId('forget').hidden = currentKey() === '';
  setUnit(question.temp_unit);
  byId('unit').textContent = unit();
  setControls(question);
  showUnknownWords();
  for (const name of ['controls', 'headline', ...Object.keys(PANELS)]) setBusy(name, true);
  try {
    const hasPairs = await headline(page);
    setBusy('headline', false);
    for (const name of Object.keys(PANELS))
      byId(name).hidden = !hasPairs && (question.station_id === '' || OF_ITS_PAIRS.includes(name));
    showInView(page);
    // The page can do without lists of choices and names of sources.
    for (const more of [setChoices, nameSources]) await more(page).catch(() => {});
    if (!signal.aborted) setBusy('controls', false);
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
}

/**
 * Shows the headline, or that its answer alone did not come: then the panels show what theirs say.
 * @param {Page} page
 * @returns {Promise<boolean>} whether there are pairs, as far as is known
 */
async function headline(page) {
  try {
    const { data } = await showHeadline(page);
    announce(byId('headline-title').textContent ?? '');
    return data.verification_pairs > 0;
  } catch (error) {
    if (page.signal.aborted || !isOfOneAnswer(error)) throw error;
    await page.get('providers', {}); // a fault as well, where the service is out of reach
    byId('headline-title').textContent = 'The summary did not come.';
    byId('leads').replaceChildren();
    byId('cards').replaceChildren(panelFault(error, () => void load()));
    return true;
  }
}

/** Shows each panel once it is in view, or on paper. @param {Page} page */
function showInView(page) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) show(target);
    },
    { rootMargin: '200px' },
  );
  /** @param {Element} panel */
  const show = (panel) => {
    observer.unobserve(panel);
    void showPanel(panel.id, page);
  };
  for (const name of Object.keys(PANELS)) observer.observe(byId(name));
  const print = () => {
    for (const panel of document.querySelectorAll('.panel[aria-busy=true]:not([hidden])')) show(panel);
  };
  addEventListener('beforeprint', print, { signal: page.signal });
  inView = observer;
}

/** @param {string} name @param {Page} page */
async function showPanel(name, page) {
  const place = /** @type {HTMLElement} */ (byId(name).querySelector('.body'));
  setBusy(name, true);
  if (place.childElementCount === 0) place.replaceChildren(loading());
  try {
    await PANELS[name]?.(place, page);
  } catch (error) {
    if (page.signal.aborted) return;
    if (error instanceof ApiFault && error.code === 'UNAUTHORIZED') {
      fail(error);
      return;
    }
    place.replaceChildren(panelFault(error, () => void showPanel(name, page)));
  }
  if (!page.signal.aborted) setBusy(name, false);
}

/** Fills the lists of providers and stations. @param {Page} page */
async function setChoices(page) {
  const [{ data: providers }, stations, station] = await Promise.all([
    /** @type {Promise<{ data: Provider[] }>} */ (page.get('providers', {})),
    page.stations(),
    page.station(),
  ]);
  if (page.signal.aborted) return;
  setProviders(providers, page.question.provider);
  byId('made-up').hidden = !providers.some(({ provider }) => provider.startsWith(MADE_UP));
  setStations(stations, station?.station_id ?? page.question.station_id, page.question);
  if (stations.length === 0) showNoStations();
}

/** Tells which words of the address mean nothing here. */
function showUnknownWords() {
  const unknown = unknownWords(location.search);
  const known = Object.keys(FIRST_QUESTION).join(', ');
  byId('notice').hidden = unknown.length === 0;
  byId('notice').textContent = `This page ignores ${unknown.join(', ')} in its address. It knows: ${known}.`;
}

/** Names those whose data have been collected, as their terms ask; once, since no question changes them. @param {Page} page */
async function nameSources({ get }) {
  const place = byId('attribution');
  if (!place.hidden) return;
  const { data } = /** @type {Freshness} */ (await get('accuracy/freshness', {}));
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

/** @param {unknown} error */
function fail(error) {
  asking.abort();
  showFault(error, {
    retry: () => void load(),
    startOver: () => change(FIRST_QUESTION),
    enterKey: (fault) => askForKey(load, fault),
  });
}

/** @param {Partial<Question>} part what differs from now on */
function change(part) {
  question = { ...question, ...part };
  history.pushState(null, '', location.pathname + searchOf(question));
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
  void load();
});

takeKeyFromAddress();
listen(change);
void load();
