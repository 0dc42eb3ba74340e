import { contract } from '../../support/contract/shared.js';
import { expect } from 'chai';

interface Entry {
  path: string;
  summary: string;
  parameters: string[];
}

describe('GET /api/v1', () => {
  it('lists every URL of the API with its parameters, as the document has them', async () => {
    const { data, metadata } = await contract.ok<Entry[]>('/api/v1');
    const documented = Object.entries(contract.document.paths)
      .filter(([each]) => each !== '/api/v1' && each !== '/api/v1/health')
      .map(([each, item]) => ({
        path: each,
        parameters: (item.get?.parameters ?? []).filter((of) => of.in === 'query').map(({ name }) => name),
      }));
    for (const { path: each, parameters } of documented) {
      const entry = data.find((of) => of.path === each);
      expect(entry?.parameters, each).to.have.members(parameters);
    }
    expect(data).to.have.lengthOf(documented.length);
    expect(metadata).to.include({ documentation: '/docs', openapi: '/openapi.json' });
    expect(metadata.generated_at).to.be.a('string');
  });
});
