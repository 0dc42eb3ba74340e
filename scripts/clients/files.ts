import { format, resolveConfig } from 'prettier';
import { DOWNLOADS, ENDPOINTS } from '../../src/endpoints.js';
import { withoutComponents } from '../openapi/components.js';
import { openApiDocument } from '../openapi/document.js';
import { VERSION } from '../../src/lib/version.js';
import { makeModel } from './model.js';
import { writePython } from './python.js';
import { writeTypescript } from './typescript.js';

const TYPESCRIPT = 'clients/typescript/src/generated.ts';
const PYTHON = 'clients/python/forecast_accuracy_client/generated.py';

/** The generated files of the clients, by path from the package's folder. */
export async function filesOfClients(): Promise<Map<string, string>> {
  const document = openApiDocument({
    endpoints: ENDPOINTS,
    downloads: DOWNLOADS,
    version: VERSION,
    examples: { responses: {}, errors: {} },
  });
  const model = makeModel(withoutComponents(document));
  const options = await resolveConfig(TYPESCRIPT);
  return new Map([
    [TYPESCRIPT, await format(writeTypescript(model), { ...options, parser: 'typescript' })],
    [PYTHON, writePython(model)],
  ]);
}
