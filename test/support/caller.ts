import type { Caller } from '../../src/api/caller.js';

/** A caller whom nothing is counted for. */
export const callerNamed = (name: string): Caller => ({
  name,
  limits: { rateLimitPerMinute: 0 },
  chargeRows: () => {},
  requireRows: () => {},
  hasRows: true,
  maxStreams: 0,
  reading: (work) => work(),
  countResponse: () => {},
  usage: () => {
    throw new Error('nothing is counted');
  },
});
