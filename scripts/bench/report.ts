// Findings of the bench: a line for each figure, with its bar where there is one.

/** One figure. Ratios are given so that the bar reads as in the table of bars: `value` `sign` `bound`. */
export interface Figure {
  section: string;
  what: string;
  value: number;
  unit: string;
  /** The parts of the value, in words with numbers. */
  made_of?: string;
  bar?: { sign: '>=' | '<='; bound: number };
}

function met({ value, bar }: Figure): boolean | undefined {
  if (bar === undefined) return undefined;
  return bar.sign === '>=' ? value >= bar.bound : value <= bar.bound;
}

/** The figures as a table of text. */
export function tableText(figures: readonly Figure[]): string {
  const lines: string[] = [];
  let section = '';
  for (const figure of figures) {
    if (figure.section !== section) {
      section = figure.section;
      lines.push('', section);
    }
    const { what, value, unit, made_of = '', bar } = figure;
    const verdict = { true: 'met', false: 'MISSED', undefined: '' }[String(met(figure))] ?? '';
    const bound = bar === undefined ? '' : `${bar.sign} ${bar.bound}`;
    lines.push(
      `  ${what.padEnd(48)} ${number(value).padStart(9)} ${unit.padEnd(6)} ${bound.padEnd(8)} ${verdict.padEnd(6)} ${made_of}`.trimEnd(),
    );
  }
  return lines.join('\n');
}

/** The bars that were missed, one a line; empty when no bar was. */
export function missedText(figures: readonly Figure[]): string {
  return figures
    .filter((figure) => met(figure) === false)
    .map(({ section, what, value, unit, bar }) =>
      `missed: ${section}, ${what}: ${number(value)} ${unit}, the bar is ${bar?.sign} ${bar?.bound}`.replace(
        '  ',
        ' ',
      ),
    )
    .join('\n');
}

export function number(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
