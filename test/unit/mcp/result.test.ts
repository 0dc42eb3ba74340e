import { expect } from 'chai';
import { cleaned, MAX_RESULT_CHARACTERS, structured } from '../../../src/mcp/result.js';
import { LIST } from '../../../src/mcp/mcp-server.js';
import { TOOLS } from '../../../src/mcp/tools/index.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { isToolRequest, readArguments } from '../../../src/mcp/tool.js';

describe('the result of a tool', () => {
  it('given more rows than a host shows, then it is cut to as many as fit, and says so', () => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({
      station_id: `K${at}`,
      city_name: 'Ä'.repeat(at % 90),
    }));
    type Cut = { rows: unknown[]; hints: string[]; truncated: boolean; total_rows: number };
    const found = structured({ rows, hints: ['first'] }, ['/api/v1/x']) as Cut;
    const { length } = JSON.stringify(found);
    expect(length).to.be.within(MAX_RESULT_CHARACTERS * 0.85, MAX_RESULT_CHARACTERS);
    expect(found.rows).to.deep.equal(rows.slice(0, found.rows.length));
    expect([found.truncated, found.total_rows]).to.deep.equal([true, 2000]);
    expect(found.hints).to.deep.equal([
      'first',
      `Cut to ${found.rows.length} of 2000 rows because more do not fit; narrow the request`,
    ]);
  });

  for (const [what, text, shown] of [
    ['an override of direction', 'Os\u202elo\u2066', 'Oslo'],
    ['tag characters', 'Oslo\u{e0001}\u{e0049}\u{e007f}', 'Oslo'],
    ['controls and breaks', 'Os\u0000lo\nHarbour\u2028Town\u001b', 'Oslo Harbour Town'],
    ['zero-width marks', '\ufeffOs\u200blo\u2060\u00ad', 'Oslo'],
    ['letters of any script, and the joiner that some need', 'São Paulo می\u200cخواهم 東京 \u{1f321}', 'São Paulo می\u200cخواهم 東京 \u{1f321}'], // prettier-ignore
  ] as const) {
    it(`given ${what} in a name, then it is shown as ${shown}, at any depth`, () => {
      expect(cleaned({ rows: [{ aliases: [text, 1, null] }] })).to.deep.equal({
        rows: [{ aliases: [shown, 1, null] }],
      });
    });
  }

  it('given the parameters of the list, then each is read, by the tool or by the endpoint that it asks', () => {
    for (const tool of TOOLS) {
      const listed = LIST.find(({ name }) => name === tool.name)?.inputSchema.properties ?? {};
      expect(Object.keys(listed)).to.deep.equal(Object.keys(tool.parameters));
    }
    // With every word of `by` and `of` a plan names endpoints and parameters that there are.
    for (const tool of TOOLS) {
      const chosen =
        tool.decides === undefined ? [undefined] : words(tool.parameters[tool.decides]?.schema.enum);
      for (const word of chosen) {
        const given = { ...(tool.decides !== undefined && { [tool.decides]: word }), place: 'KORD', date_from: '2024-01-01' }; // prettier-ignore
        const plan = tool.plan(readArguments(tool, given).values);
        for (const { path, query } of plan.filter(isToolRequest)) {
          const endpoint = ENDPOINTS.find(({ paths }) => paths.includes(path));
          expect(Object.keys(endpoint?.parameters ?? {}), `${tool.name} ${word}`).to.include.members(
            Object.keys(query),
          );
        }
      }
    }
  });
});

const words = (list: unknown): string[] => list as string[];
