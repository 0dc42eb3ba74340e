import { expect } from 'chai';
import type { TestService } from './service.js';

// Answers of the service, compared with those that were worked out.

interface Asked {
  body: { data: unknown; metadata: Record<string, unknown> };
}

/** An answer to a path below /api/v1. */
export async function ask(service: TestService, path: string): Promise<Asked> {
  const response = await service.get(`/api/v1/${path}`);
  expect(response.status, `${path}: ${response.text}`).to.equal(200);
  return { body: response.body as Asked['body'] };
}

/** The data of the answer to a path below /api/v1. */
export async function dataOf<Data = unknown>(service: TestService, path: string): Promise<Data> {
  const response = await service.get(`/api/v1/${path}`);
  expect(response.status, `${path}: ${response.text}`).to.equal(200);
  return (response.body as { data: Data }).data;
}
