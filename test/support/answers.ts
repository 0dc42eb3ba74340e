import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { type Answer, BUCKETS } from './plain/oracle.js';
import type { TestService } from './service.js';

// Answers of the service, compared with those that were worked out.

interface Asked {
  body: { data: unknown; metadata: Record<string, unknown> };
}

/** An answer to a path below /api/v1/accuracy. */
export async function ask(service: TestService, path: string): Promise<Asked> {
  const response = await service.get(`/api/v1/accuracy/${path}`);
  expect(response.status, `${path}: ${response.text}`).to.equal(200);
  return { body: response.body as Asked['body'] };
}

/** The data of the answer to a path below /api/v1. */
export async function dataOf<Data = unknown>(service: TestService, path: string): Promise<Data> {
  const response = await service.get(`/api/v1/${path}`);
  expect(response.status, `${path}: ${response.text}`).to.equal(200);
  return (response.body as { data: Data }).data;
}

export async function expectAnswer(service: TestService, path: string, expected: Answer): Promise<void> {
  const { body } = await ask(service, path);
  const { query_time_ms, data_version, timeline, ...metadata } = body.metadata;
  expect(query_time_ms, path).to.satisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 0);
  expect(data_version, path).to.satisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 1);
  expect(timeline, path).to.match(/^[a-z0-9]{4}$/);
  expect(body, path).to.have.all.keys('success', 'data', 'metadata');
  const answer = { data: withoutDescriptions(body.data), metadata };
  // Chai shortens long values in its messages, and the difference is what a reader needs.
  const [is, wanted] = [JSON.stringify(answer), JSON.stringify(expected)].map((text) => text.slice(0, 5000));
  const message = `${path}\nis answered ${is}\n  instead of ${wanted}`;
  expect(isDeepStrictEqual(answer, expected), message).to.be.true;
}

/** Lead-time records without their sentences, which only have to name the bounds. */
function withoutDescriptions(data: unknown): unknown {
  if (!Array.isArray(data)) return data;
  return data.map((record: Record<string, unknown>) => {
    const { description, ...rest } = record;
    if (BUCKETS.some((bucket) => bucket === rest.lead_time_bucket)) {
      for (const bound of String(rest.lead_time_bucket).match(/\d+/g) ?? []) {
        expect(description).to.match(new RegExp(`\\b${bound}\\b`));
      }
    }
    return rest;
  });
}
