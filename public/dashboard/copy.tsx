import { FullService } from './message.js';
import { isOffered, published } from './published.js';

/** A copy of yesterday is as it should be: it is made anew each day. */
const MAX_AGE_MS = 36 * 3_600_000;

/** Tells that stations of a list have no link: a copy has the views of some. Nothing where each has one. */
export function Unlinked({ ids }: { ids: string[] }) {
  const unlinked = ids.filter((id) => !isOffered('station_id', id)).length;
  if (unlinked === 0) return null;
  return (
    <p class="basis">
      {unlinked} of these {ids.length} stations {unlinked === 1 ? 'has' : 'have'} no link: this copy lacks
      their views. <FullService />
    </p>
  );
}

/** When a copy was made: its numbers do not go on by themselves. Nothing where a service is behind the page. */
export function AgeOfCopy() {
  if (!published) return null;
  const made = new Date(published.generated_at);
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return (
    <p id="copy" class={Date.now() - Number(made) > MAX_AGE_MS ? 'notice' : 'quiet'}>
      A copy of {made.toLocaleString('en-GB', options)} UTC. <FullService />
    </p>
  );
}
