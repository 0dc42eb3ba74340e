import { FullService } from './message.js';
import { published } from './published.js';

/** A copy of yesterday is as it should be: it is made anew each day. */
const MAX_AGE_MS = 36 * 3_600_000;

/** When a copy was made: its numbers do not go on by themselves. Nothing where a service is behind the page. */
export function AgeOfCopy() {
  if (published === undefined) return null;
  const made = Date.parse(published.generated_at);
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
  });
  return (
    <p id="copy" class={Date.now() - made > MAX_AGE_MS ? 'notice' : 'quiet'}>
      A copy of {format.format(made)} UTC. <FullService />
    </p>
  );
}
