import { useState } from 'preact/hooks';
import { makeSentence, toApiError } from './message.js';
import { type Page, usePage, useResponse } from './page.js';
import { published } from './published.js';

/** The names of the makers of the data, and the latest version. */
async function loadSources({ load }: Pick<Page, 'load'>) {
  const { data } = await load.get('accuracy/freshness');
  const there = data.sources.filter(({ last_success_at }) => last_success_at !== null);
  return {
    names: [...new Set(there.flatMap(({ attribution }) => attribution ?? []))],
    version: data.last_load_id,
  };
}

/** The checkpoint that stands for the latest version, by lines. @throws ApiError where no load has sealed it yet */
export async function loadSeal(page: Pick<Page, 'load'>): Promise<string[]> {
  const { version } = await loadSources(page);
  return (await page.load.get(`seals/v${version}`)).data.checkpoint.split('\n');
}

/** The makers of the data, whom licences say to name beside them, and the seal, for a reader who opens it. */
export function Sources() {
  const page = usePage();
  const [isOpen, setOpen] = useState(false);
  const { response: found } = useResponse(() => loadSources(page), page.isReady);
  const { response: seal, error } = useResponse(() => loadSeal(page), isOpen);
  // A link stands in the text as its address.
  const parts = found?.names.join('; ').split(/(https:\/\/[\w./-]*\w)/) ?? [];
  return (
    <>
      {found && found.names.length > 0 && (
        <p id="attribution">
          Data: {parts.map((part, at) => (at % 2 === 0 ? part : <a href={part}>{part}</a>))}.
        </p>
      )}
      <details id="seal" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Version of the data</summary>
        {error !== undefined && <p>{makeSentence(toApiError(error))}</p>}
        {seal && (
          <p>
            Version v{found?.version}, sealed: checkpoint {seal[1]} {seal[2]?.slice(0, 8)}…,{' '}
            <a href={published ? 'seals/checkpoint' : 'docs'}>verify it</a>.
          </p>
        )}
      </details>
    </>
  );
}
