import { useState } from 'preact/hooks';
import { makeSentence, toApiError } from './message.js';
import { type Page, usePage, useResponse } from './page.js';
import { published } from './published.js';

/** The seal of the latest version of the data. @throws ApiError where no load has sealed it yet */
export const loadSeal = async ({ load }: Pick<Page, 'load'>) => {
  const { data } = await load.get('accuracy/freshness');
  return load.get(`seals/v${data.last_load_id}`);
};

/** The version of the data; opened, the checkpoint that stands for it and all versions before. */
export function Sealed({ version }: { version: number }) {
  const page = usePage();
  const [isOpen, setOpen] = useState(false);
  const { response: seal, error } = useResponse(() => loadSeal(page), isOpen);
  const [, size, root = ''] = seal?.data.checkpoint.split('\n') ?? [];
  return (
    <details id="seal" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Data version v{version}</summary>
      {error !== undefined && <p>{makeSentence(toApiError(error))}</p>}
      {seal && (
        <p>
          Sealed: checkpoint {size} {root.slice(0, 8)}…,{' '}
          <a href={published ? 'seals/checkpoint' : 'docs'}>verify it</a>.
        </p>
      )}
    </details>
  );
}
