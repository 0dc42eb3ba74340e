import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What an operation answers. */
export interface Example {
  request: string;
  /** Which part of a long answer is shown. */
  excerpt?: string;
  json: unknown;
  csv?: string;
}

/** The examples of the OpenAPI document: what the service answers over the sample data. */
export interface Examples {
  /** By operationId. */
  answers: Record<string, Example>;
  /** By error code. */
  errors: Record<string, { request: string; body: unknown }>;
}

/** Where they are kept; `npm run examples` writes them, and a test holds them to what the service answers. */
export const EXAMPLES_FILE = createRequire(import.meta.url).resolve('#openapi/examples.json');

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}
