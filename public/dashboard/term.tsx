import { useId, useRef, useState } from 'preact/hooks';
import { getSpan } from './words.js';

// Definitions of words, shown on hover and on focus, read out as the description of the word, gone with Escape.

const TERMS = {
  mae: 'Mean absolute error (MAE): how far forecasts were from the observed value, on average, whichever way they missed.',
  bias: 'Mean error, forecast minus observed. Misses too warm and too cold cancel out: zero means that forecasts lean neither way, not that they are right.',
  brier:
    'Brier score: the mean square of chance minus outcome, where 1 is rain. 0 is perfect; always saying 50% has 0.25.',
  skill:
    'Brier skill score: the part of the Brier score that is saved against always saying how often it rained. 0% is no skill, 100% is perfect.',
  pairs:
    'Verification pairs: each is one forecast of one day or hour at one station, compared with the value observed there.',
  interval:
    'Where the number would lie over very many days like these: about 95 of 100 such intervals contain it. A wide one means less evidence, not a worse forecast.',
  cases:
    'One day at one station. Only days with a forecast at every lead time are compared, so that the weather is the same.',
  hours:
    'One hour at one station. Only hours with a forecast at every lead time are compared, so that the weather is the same.',
  windows: 'Some hours in a row at one station, about which one chance was forecast.',
  pod: 'Probability of detection (POD): the share of the days on which it happened that were forecast.',
  far: 'False alarm ratio (FAR): the share of the days on which it was forecast that were false alarms.',
  csi: 'Critical success index: of the days on which it was forecast or happened, the share with both.',
  fdr: 'One comparison in twenty looks significant by chance. Here at most one in twenty of the significant ones should be chance (Benjamini and Hochberg).',
  preliminary: 'Some observations of the day are not verified yet, so its numbers may still change.',
};

/** The definition of a case of the page's variable. */
export const caseTerm = (): 'cases' | 'hours' | 'windows' =>
  (({ day: 'cases', hour: 'hours' }) as Record<string, 'cases' | 'hours'>)[getSpan().one] ?? 'windows';

/** A word with its definition. */
export function Term({ of, children }: { of: keyof typeof TERMS; children: string }) {
  const id = useId();
  const [isDismissed, setDismissed] = useState(false);
  const [left, setLeft] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const show = (): void => setDismissed(false);
  /** The definition begins below its word, or as far left of that as the page demands. */
  const keepInView = (): void => {
    const { clientWidth } = document.documentElement;
    const room = clientWidth - Math.min(304, 0.88 * clientWidth) - 12;
    setLeft(Math.min(0, room - (button.current?.getBoundingClientRect().left ?? 0)));
  };
  return (
    <span
      class={isDismissed ? 'term dismissed' : 'term'}
      onKeyDown={({ key }) => key === 'Escape' && setDismissed(true)}
      onMouseLeave={show}
      onFocusOut={show}
    >
      <button
        type="button"
        class="plain"
        ref={button}
        aria-describedby={id}
        onMouseEnter={keepInView}
        onFocus={keepInView}
      >
        {children}
      </button>
      <span id={id} role="tooltip" style={{ left: `${left}px` }}>
        {TERMS[of]}
      </span>
    </span>
  );
}
