import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isRefusal, saveCsv } from './api.js';
import { type Csv, Lack, type View } from './body.js';
import { Frozen } from './frozen.js';
import { Again, toApiError, makeSentence, getTitle } from './message.js';
import { useResponse, usePage } from './page.js';
import { getBody } from './panels/bodies.js';
import type { Declaration } from './panels/declarations.js';
import { published } from './published.js';
import { DataTable } from './table.js';

interface PanelProps {
  of: Declaration;
  /** Takes what it lacks; undefined when it has something to show. */
  report: (needs: string | undefined) => void;
}

/** A card that asks for its responses, and shows that it waits, that it failed, or its view. */
export function Panel({ of, report }: PanelProps) {
  const page = usePage();
  const { params, isReady, fail } = page;
  const { id, title, width, words = [] } = of;
  const ask = async () => {
    const body = await getBody(id);
    return { body, found: await body.load(page) };
  };
  const { response, error, isBusy, again } = useResponse(
    ask,
    isReady,
    words.map((name) => params[name]),
  );
  useEffect(() => {
    if (isRefusal(error)) fail(error);
  }, [error]);
  // The last view stays, dimmed and as it was, until the next is there.
  const last = useRef<View | undefined>(undefined);
  if (!isBusy)
    last.current =
      error === undefined && response !== undefined ? response.body.view(response.found, page) : undefined;
  const shown = last.current;
  const needs = error instanceof Lack ? error.message : undefined;
  useEffect(() => report(needs), [needs]);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isBusy && location.hash === `#${id}`) place.current?.scrollIntoView();
  }, [isBusy]);
  return (
    <section
      {...{ id, class: `panel ${width}`, hidden: needs !== undefined, ref: place }}
      aria-labelledby={`${id}-title`}
      aria-busy={isBusy}
    >
      <h2 id={`${id}-title`}>{shown?.title ?? (typeof title === 'string' ? title : title(params))}</h2>
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
function Below({ table, csv }: View) {
  if (table === undefined && (csv === undefined || published)) return null;
  return (
    <div class="below row">
      {table === undefined ? (
        <div />
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
