import { useState } from 'preact/hooks';
import { makeSentence, toApiError } from './message.js';
import { type Page, usePage, useResponse } from './page.js';
import { published } from './published.js';

/** The names of those who made the data, their version, and its seal, where a load has sealed it. */
export async function loadSources({ load }: Pick<Page, 'load'>) {
  const { data } = await load.get('accuracy/freshness');
  const there = data.sources.filter(({ last_success_at }) => last_success_at !== null);
  const seal = await load.get(`seals/v${data.last_load_id}`).catch(() => undefined);
  return {
    names: [...new Set(there.flatMap(({ attribution }) => attribution ?? []))],
    version: data.last_load_id,
    seal: seal?.data.checkpoint.split('\n'),
  };
}

/** The sources of the data and their version, for those who open it: no number waits for them. */
export function Sources() {
  const page = usePage();
  const [isOpen, setOpen] = useState(false);
  const { response: found, error } = useResponse(() => loadSources(page), isOpen);
  // A link stands in the text as its address.
  const parts = found?.names.join('; ').split(/(https:\/\/[\w./-]*\w)/) ?? [];
  return (
    <details id="sources" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Sources and version of the data</summary>
      {error !== undefined && <p>{makeSentence(toApiError(error))}</p>}
      {found && found.names.length > 0 && (
        <p id="attribution">
          Data: {parts.map((part, at) => (at % 2 === 0 ? part : <a href={part}>{part}</a>))}.
        </p>
      )}
      {found && (
        <p>
          Version v{found.version}
          {found.seal && `, sealed: checkpoint ${found.seal[1]} ${found.seal[2]?.slice(0, 8)}…`},{' '}
          <a href={published ? 'seals/checkpoint' : 'docs'}>verify it</a>.
        </p>
      )}
    </details>
  );
}
