import { expect } from 'chai';
import { dataStatus } from '../../../src/mcp/tools/data-status.js';

const nobody = () => Promise.reject(new Error('nothing more is asked'));

describe('data_status', () => {
  it('given an observation in doubt, to which an alarm leads, then it is told, without what is null of it', async () => {
    const questions = dataStatus.plan({}).map((each) => ('path' in each ? each.path : ''));
    expect(questions).to.include('/data/suspects');
    const told = { station_id: 'KORD', date: '2026-03-01', observed: 95, reason: 'spike' };
    const answers: Record<string, unknown> = {
      '/accuracy/freshness': { minutes_since_latest: 5 },
      '/data/suspects': [{ ...told, days: null }],
    };
    const { more } = await dataStatus.handle(
      {},
      questions.map((path) => ({ data: answers[path] ?? [] })),
      nobody,
      undefined,
    );
    expect(more?.suspects).to.deep.equal([told]);
  });
});
