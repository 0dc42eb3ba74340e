import { expect } from 'chai';
import type { Answer } from '../../../src/api/endpoint.js';
import { answerOfPast } from '../../../src/answers/past.js';

// Guards that an answer which is kept for ever never comes from histograms that a load may have been writing.

const QUIET = { key: '8-a', lineage: 'k7q2', finishedLoad: 4, startedLoad: 4 };

describe('the answer of a past version', () => {
  const sourcesAsked = async (before: typeof QUIET, after: string): Promise<string[]> => {
    const asked: string[] = [];
    const answer: Answer = await answerOfPast(
      (source) => {
        asked.push(source);
        return Promise.resolve({ data: { source } });
      },
      before,
      { read: () => Promise.resolve({ ...QUIET, key: after }) },
    );
    expect(answer.data).to.deep.equal({ source: asked.at(-1) });
    return asked;
  };

  it('given no load from before to after, then rewound histograms give it', async () => {
    expect(await sourcesAsked(QUIET, QUIET.key)).to.deep.equal(['rewound']);
  });

  it('given a load that began meanwhile, then the ledger gives it', async () => {
    expect(await sourcesAsked(QUIET, '9-b')).to.deep.equal(['rewound', 'ledger']);
  });

  it('given a load under way, or one that failed or died, then the ledger gives it at once', async () => {
    expect(await sourcesAsked({ ...QUIET, startedLoad: 5 }, QUIET.key)).to.deep.equal(['ledger']);
  });
});
