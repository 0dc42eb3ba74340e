import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Parameters } from './address.js';
import { isRefusal, saveCsv } from './api.js';
import { Frozen } from './frozen.js';
import { Again, toApiError, makeSentence, getTitle } from './message.js';
import { type Page, useResponse, usePage, useSeen } from './page.js';
import { published } from './published.js';
import { getPeriod, getScore, isHighOrLow } from './variables.js';

/** Ends the requests of a panel that has nothing to show. It names the need, and folds into one line with others. */
export class Lack extends Error {}

/** The needs of panels about pairs, and of those about two providers. */
export const NO_PAIRS = 'needs a forecast of these days with its observation';
export const NO_PROVIDER = 'needs forecasts: none are loaded';
export const ONE_PROVIDER = 'needs a second provider';

/** A panel of what the daily feeds alone have. */
export function needHighOrLow(params: { metric: string }): void {
  if (!isHighOrLow(params)) throw new Lack('is about daily highs and lows');
}

/** A panel about degrees, which chances do not have. */
export function needDegrees(params: { metric: string }): void {
  if (getScore(params) !== 'mae') throw new Lack('is about degrees');
}

/** A panel about degrees that counts a day once. */
export function needDays(params: { metric: string }): void {
  needDegrees(params);
  if (getPeriod(params) !== 'day') throw new Lack('is about values of a day');
}

export const NO_COMMON_DAY = 'needs days that two providers forecast';

/** Rows of a panel; the first cell of each is its head. */
export interface Table {
  caption: string;
  columns: ComponentChildren[];
  rows: ComponentChildren[][];
}

/** A file of the response behind a panel. */
export interface Csv {
  what: string;
  path: string;
  query: Parameters;
}

/** The content of a panel: what it says, how it looks, the same as a table, and the way to its data. */
export interface View {
  title?: string;
  /** One sentence, its number first. */
  verdict?: string;
  /** Below it, in small: the interval, what it rests on, and what limits it. */
  caveat?: ComponentChildren;
  content: ComponentChildren;
  table?: Table;
  /** In place of the table. */
  beside?: ComponentChildren;
  csv?: Csv;
}

interface PanelProps<Result> {
  id: string;
  title: string;
  /** Gets its responses; may throw a Lack. Exported by each panel, because a copy of the service asks by it, too. */
  ask: (page: Page) => Promise<Result>;
  /** Kept words of the address whose change makes the panel ask again. */
  on?: unknown;
  /** Always there, whatever comes of the response. */
  head?: ComponentChildren;
  view: (response: Result) => View;
}

/** A card that asks once it is in view, and shows that it waits, that it failed, that there is nothing, or its view. */
export function Panel<Result>({ id, title, ask, on, head, view }: PanelProps<Result>) {
  const page = usePage();
  const { isReady, fail, reportLack } = page;
  const place = useRef<HTMLElement>(null);
  const isSeen = useSeen(place);
  const { response, error, isBusy, again } = useResponse(() => ask(page), isReady && isSeen, on);
  useEffect(() => {
    if (isRefusal(error)) fail(error);
  }, [error]);
  // The last view stays, dimmed and as it was, until the next is there.
  const last = useRef<View | undefined>(undefined);
  if (!isBusy) last.current = error === undefined && response !== undefined ? view(response) : undefined;
  const shown = last.current;
  const needs = error instanceof Lack ? error.message : undefined;
  useEffect(() => {
    reportLack(title, needs);
    return () => reportLack(title, undefined);
  }, [needs]);
  return (
    <section
      {...{ id, class: 'panel', hidden: needs !== undefined, ref: place }}
      aria-labelledby={`${id}-title`}
      aria-busy={isBusy}
    >
      <h2 id={`${id}-title`}>{shown?.title ?? title}</h2>
      {head}
      <div class="body">
        {shown ? (
          <Frozen isBusy={isBusy}>
            {shown.verdict && <p class="verdict">{emphasize(shown.verdict)}</p>}
            {shown.caveat && <p class="caveat quiet">{shown.caveat}</p>}
            {shown.content}
          </Frozen>
        ) : error === undefined ? (
          <p class="loading quiet">Loading…</p>
        ) : (
          needs === undefined && <PanelError error={error} retry={again} />
        )}
      </div>
      {shown && <Below {...shown} />}
    </section>
  );
}

/** A sentence with the number at its beginning in bold. */
function emphasize(sentence: string): ComponentChildren {
  const [number = ''] = /^[<>−\d.,–]+(%| °[FC])?/.exec(sentence) ?? [];
  return [<strong>{number}</strong>, sentence.slice(number.length)];
}

/** In place of a panel whose response did not come; the others stay. */
export function PanelError({ error, retry }: { error: unknown; retry: () => void }) {
  const apiError = toApiError(error);
  return (
    <div class="panel-error empty" role="alert">
      <h3>{getTitle(apiError)}</h3>
      <p>{makeSentence(apiError)}</p>
      <p>
        <Again apiError={apiError} retry={retry} />
      </p>
    </div>
  );
}

/** The data of a panel as a table, folded away, and a button that saves them. */
function Below({ table, beside, csv }: View) {
  return (
    <div class="below row">
      {table === undefined ? (
        <div>{beside}</div>
      ) : (
        <details>
          <summary>Details</summary>
          <DataTable {...table} class="scroll" />
        </details>
      )}
      {csv && !published && <Save {...csv} />}
    </div>
  );
}

interface DataTableProps extends Table {
  class: string;
  /** The column of the heads of rows. */
  head?: number;
  /** The column that the rows are in the order of. */
  sorted?: { at: number; isDescending: boolean };
}

/** A table that scrolls in its card. */
export const DataTable = ({ caption, columns, rows, class: name, head = 0, sorted }: DataTableProps) => (
  <div class={name} tabIndex={0} role="region" aria-label={caption}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th
              scope="col"
              aria-sort={sorted?.at === at ? (sorted.isDescending ? 'descending' : 'ascending') : undefined}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>{cells.map((cell, at) => (at === head ? <th scope="row">{cell}</th> : <td>{cell}</td>))}</tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The meanings of the colours of the bias, each with its sign. */
export const Legend = ({ marks }: { marks: (readonly [colour: number, sign: string, words: string])[] }) => (
  <ul class="legend row quiet">
    {marks.map(([colour, sign, words]) => (
      <li>
        <span class={`chip bias-${colour}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {words}
      </li>
    ))}
  </ul>
);

function Save({ what, path, query }: Csv) {
  const { announce, fail } = usePage();
  const save = (): void => {
    saveCsv(path, query).then((name) => announce(`${name} is saved`), fail);
  };
  return (
    <button type="button" class="save" aria-label={`Download CSV of ${what}`} onClick={save}>
      CSV
    </button>
  );
}
