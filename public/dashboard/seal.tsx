import { type Page, usePage, useResponse } from './page.js';
import { published } from './published.js';

/** The seal of the latest version of the data. @throws ApiError where no load has sealed it yet */
export const loadSeal = async ({ load }: Pick<Page, 'load'>) => {
  const { data } = await load.get('accuracy/freshness');
  return load.get(`seals/v${data.last_load_id}`);
};

/** The version of the data, and the checkpoint that stands for it and all versions before. */
export function Sealed() {
  const page = usePage();
  const { response: seal } = useResponse(() => loadSeal(page), page.isReady);
  if (seal === undefined) return null;
  const [, size, root = ''] = seal.data.checkpoint.split('\n');
  return (
    <p id="seal">
      Data version v{seal.data.version}, sealed: checkpoint {size} {root.slice(0, 8)}…,{' '}
      <a href={published ? 'seals/checkpoint' : 'docs'}>verify it</a>.
    </p>
  );
}
