import { expect } from 'chai';
import { expectHeadersOfStored } from '../../support/contract/not-modified.js';
import request from 'supertest';
import { store } from '../../support/contract/shared.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { startTestService, type TestService } from '../../support/service.js';

interface ByDate {
  data: { date: string; stats: { mae: number; mean_error: number } }[];
}

describe('the figures of an answer', () => {
  let service: TestService;

  before(async () => {
    const publicRead = { rateLimitPerMinute: 100, rowsPerMinute: 0 };
    service = await startTestService(store, { now: NOW, publicRead });
  });

  const figure = (path: string) => request(service.app).get(`/api/v1/accuracy/${path}`);

  const textOf = async (path: string) => {
    const answer = await figure(path).buffer();
    const headers = answer.headers as Record<string, string>;
    return { status: answer.status, headers, body: String(answer.body) };
  };

  it('given a chart without a key where reading is public, then other pages may show it, caches keep it', async () => {
    const { status, headers, body } = await textOf(`by-date/chart.svg?${WINDOW}`);
    expect([status, headers['content-type']]).to.deep.equal([200, 'image/svg+xml; charset=utf-8']);
    expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
    const json = await figure(`by-date?${WINDOW}`);
    expect(headers['cache-control']).to.equal(json.headers['cache-control']);
    expect(headers.etag).not.to.equal(json.headers.etag);
    const again = await figure(`by-date/chart.svg?${WINDOW}`).set('If-None-Match', headers.etag ?? '');
    expect(again.status).to.equal(304);
    const { data } = json.body as ByDate;
    expect(data).to.have.length.within(1, 31);
    for (const { date, stats } of data) {
      const cells = [date, stats.mae.toFixed(2), stats.mean_error.toFixed(2)];
      expect(body).to.include(cells.map((cell) => `<text role="cell">${cell}</text>`).join(''));
    }
  });

  for (const path of [`by-date/chart.svg?${WINDOW}&days=2`, `summary/badge.json?${WINDOW}&days=2`])
    it(`given ${path} is stored elsewhere, then each of its 304 leaves the right to embed it as it was`, async () => {
      const get = (tag?: string) => {
        const asked = service.get(`/api/v1/accuracy/${path}`);
        return tag === undefined ? asked : asked.set('If-None-Match', tag);
      };
      const unrequested = await get('*'); // nothing is cached here
      const { headers } = await get();
      const [first, fast] = [await get(headers.etag), await get(headers.etag)];
      for (const { status, headers: ofNotModified } of [unrequested, first, fast]) {
        expect(status).to.equal(304);
        expectHeadersOfStored(ofNotModified, headers);
      }
    });

  it('given the station in the path, °C or lead times, then the chart is of that question', async () => {
    const ofStation = await textOf(`by-date/KORD/chart.svg?${WINDOW}&temp_unit=celsius`);
    expect(ofStation.body).to.include('Chicago').and.include('°C');
    const ofLeads = await textOf(`by-lead-time/chart.svg?${WINDOW}`);
    expect(ofLeads.body).to.include('<text role="cell">72h+</text>');
  });

  it('given a badge, then it has the MAE of the summary', async () => {
    const badge = await figure(`summary/badge.json?${WINDOW}&city=Chicago`);
    const summary = await figure(`summary?${WINDOW}&city=Chicago`);
    const { mae } = (summary.body as { data: { mae: number } }).data;
    expect(badge.body).to.include({ schemaVersion: 1, message: `${mae.toFixed(2)} °F` });
  });

  it('given a bad parameter, or a format, then it is refused as the answer is', async () => {
    const refused = await figure('by-date/chart.svg?format=csv');
    expect(refused.status).to.equal(400);
    expect((refused.body as { error: { details: unknown[] } }).error.details).to.deep.equal([
      { parameter: 'format', message: 'is fixed for chart.svg; leave it out' },
    ]);
    expect((await figure('by-date/chart.svg?days=0')).status).to.equal(400);
    expect((await service.get('/api/v1/accuracy/by-city/chart.svg')).status).to.equal(404);
  });
});
