import { useId, useRef, useState } from 'preact/hooks';

// Definitions of words, shown on hover and on focus, read out as the description of the word, gone with Escape.

const TERMS = {
  mae: 'Mean absolute error (MAE): how far forecasts were from the observed value, on average, whichever way they missed.',
  bias: 'Mean error, forecast minus observed. Misses too warm and too cold cancel out: zero means that forecasts lean neither way, not that they are right.',
  p90: '90th percentile of the absolute error: nine forecasts in ten were at least this close.',
  pairs:
    'Verification pairs: each is one forecast of one day at one station, compared with the value observed there.',
  interval:
    'Where the number would lie over very many days like these: of 100 such intervals, about 95 hold it. A wide one is not a worse forecast but less evidence.',
  cases:
    'One day at one station. Only days with a forecast at every lead time are compared, so that all are about the same weather.',
  lead: 'Hours from when a forecast was issued to local midnight at which its day began at the station.',
  pod: 'Probability of detection (POD): of the days on which it happened, the share on which it was forecast.',
  far: 'False alarm ratio (FAR): of the days on which it was forecast, the share on which it did not happen.',
  csi: 'Critical success index: of the days on which it was forecast or happened, the share on which it was both.',
  fdr: 'Of many comparisons, one in twenty looks significant by chance alone. Here at most one in twenty of those called significant is expected to be chance (Benjamini and Hochberg).',
  preliminary:
    'Some of the observations of the day have not been verified yet, so its numbers may still change.',
};

/** A word with its definition. */
export function Term({ of, children }: { of: keyof typeof TERMS; children: string }) {
  const id = useId();
  const [isDismissed, setDismissed] = useState(false);
  const [left, setLeft] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const show = (): void => setDismissed(false);
  /** It begins below its word, or as far left of that as the page demands. */
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
