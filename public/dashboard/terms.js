import { h } from './dom.js';

// Meanings of words, shown on hover and on focus, read out as the description of the word, gone with Escape.

const TERMS = {
  mae: [
    'MAE',
    'Mean absolute error: how far forecasts were from what was observed, on average, whichever way they missed.',
  ],
  bias: [
    'Bias',
    'Mean error, forecast minus observed. Misses too warm and too cold cancel out: zero means that forecasts lean neither way, not that they are right.',
  ],
  p90: ['9 in 10', '90th percentile of the absolute error: nine forecasts in ten were at least this close.'],
  pairs: [
    'forecasts',
    'Verification pairs: each is one forecast of one day at one station, compared with what was observed there.',
  ],
  interval: [
    '95 %',
    'Where the number would lie over very many days like these: of 100 such intervals, about 95 hold it. A wide one is not a worse forecast but less evidence.',
  ],
  cases: [
    'station days',
    'One day at one station. Only those with a forecast at every lead time are compared, so that all are about the same weather.',
  ],
  lead: [
    'lead time',
    'Hours from when a forecast was issued to local midnight at which its day began at the station.',
  ],
  pod: [
    'POD',
    'Probability of detection: of the days on which it happened, the share on which it was forecast.',
  ],
  far: [
    'FAR',
    'False alarm ratio: of the days on which it was forecast, the share on which it did not happen.',
  ],
  csi: [
    'CSI',
    'Critical success index: of the days on which it was forecast or happened, the share on which it was both.',
  ],
  fdr: [
    'false discovery rate',
    'Of many comparisons, one in twenty looks significant by chance alone. Here at most one in twenty of those called significant is expected to be chance (Benjamini and Hochberg).',
  ],
  preliminary: [
    'Preliminary',
    'Some of the observations of the day have not been verified yet, so its numbers may still change.',
  ],
};

let made = 0;

/**
 * A word with its definition.
 * @param {keyof typeof TERMS} name
 * @param {string} [word] another word for it
 */
export function term(name, word) {
  const [usual, definition] = TERMS[name];
  const id = `term-${(made += 1)}`;
  return h(
    'span',
    { class: 'term', keydown: hideOnEscape, mouseleave: showAgain, focusout: showAgain },
    h(
      'button',
      { type: 'button', 'aria-describedby': id, mouseenter: keepInView, focus: keepInView },
      word ?? usual,
    ),
    h('span', { id, role: 'tooltip' }, definition ?? ''),
  );
}

/** @param {KeyboardEvent} event */
function hideOnEscape(event) {
  if (event.key === 'Escape') /** @type {HTMLElement} */ (event.currentTarget).classList.add('dismissed');
}

/** @param {Event} event */
function showAgain(event) {
  /** @type {HTMLElement} */ (event.currentTarget).classList.remove('dismissed');
}

/** A definition begins below its word, or as far left of that as the page demands. @param {Event} event */
function keepInView(event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const tip = /** @type {HTMLElement} */ (button.nextElementSibling);
  const { left } = button.getBoundingClientRect();
  const widest = Math.min(304, 0.88 * document.documentElement.clientWidth);
  const room = document.documentElement.clientWidth - widest - 12;
  tip.style.left = `${Math.min(0, room - left)}px`;
}
