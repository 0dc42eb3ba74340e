import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { LIST } from '../src/mcp/mcp-server.js';

// npm run mcp-tools: writes the response of tools/list to where its test looks, with the tokens that it costs a host. Run it
// from the package's folder.

const FILE = 'test/integration/mcp/tools.json';

const tokens = Math.ceil(JSON.stringify(LIST).length / 4); // a token is about four characters
const text = JSON.stringify({ tokens, tools: LIST }, null, 2);
await writeFile(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'json' }));
