import type { AsOf } from '../stations/versions.js';
import type { DataVersion, Version } from '../store/data-version.js';

/**
 * The answer of a past version of the data (D31), of an endpoint that can rewind. Rewound histograms give it soonest, and count only if no load was under
 * way before their first statement and none has begun after the last: such an answer is kept for ever. Otherwise the
 * ledger gives it, whose rows of a load that has finished never change.
 * @param before the version of the data from before the question
 */
export async function answerOfPast<Made>(
  answer: (source: AsOf['source']) => Promise<Made>,
  before: Version,
  dataVersion: Pick<DataVersion, 'read'>,
): Promise<Made> {
  // A load that failed or was killed may have left rows in the ledger that a histogram lacks.
  if (before.startedLoad === before.finishedLoad) {
    const rewound = await answer('rewound');
    if ((await dataVersion.read()).key === before.key) return rewound;
  }
  return answer('ledger');
}
