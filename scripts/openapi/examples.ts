import { readFileSync } from 'node:fs';

/** A response of an operation. */
export interface Example {
  request: string;
  /** The part of a long response that is shown. */
  excerpt?: string;
  json: unknown;
  csv?: string;
}

/** The examples of the OpenAPI document: responses of the service over the sample data. */
export interface Examples {
  /** By operationId. */
  responses: Record<string, Example>;
  /** By error code. */
  errors: Record<string, { request: string; body: unknown }>;
}

/** From the package's folder. `npm run examples` writes this file, and a test compares it with what the service answers. */
const EXAMPLES_FILE = 'scripts/openapi/examples.json';

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}
