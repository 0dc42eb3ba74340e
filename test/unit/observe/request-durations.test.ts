import { expect } from 'chai';
import { Histogram, type Metric, Registry } from 'prom-client';
import { DURATION_BUCKETS, RequestDurations } from '../../../src/observe/request-durations.js';

describe('the durations of requests', () => {
  it('given values on, below and above the bounds, then a scrape has what the library would show', async () => {
    const [name, help] = ['request_seconds', 'Time of a request'];
    const [ours, theirs] = [new Registry(), new Registry()];
    const durations = new RequestDurations(name, help);
    ours.registerMetric(durations as unknown as Metric);
    const labelNames = ['method', 'route', 'status_code'];
    const library = new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [theirs] });
    expect(await ours.metrics(), 'before the first').to.equal(await theirs.metrics());
    const labels = [
      { method: 'GET', route: '/"x"', status_code: 200 },
      { method: 'HEAD', route: '/"x"', status_code: 200 },
      { method: 'GET', route: 'none', status_code: 404 },
      { method: 'GET', route: '/"x"', status_code: 200 },
    ];
    for (const each of labels)
      for (const seconds of [0, 0.002, 0.0021, 0.1, 10, 10.5]) {
        durations.observe(each, seconds);
        library.observe(each, seconds);
      }
    expect(await ours.metrics()).to.equal(await theirs.metrics());
  });
});
