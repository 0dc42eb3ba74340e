import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { bridge } from '../../../src/cli/mcp.js';
import { sharedContract } from '../../support/contract/contract.js';
import { Listening } from '../../support/listen.js';
import type { TestService } from '../../support/service.js';
import { describeInCi } from '../../support/runner/range.js';

interface Message {
  id?: unknown;
  result?: { protocolVersion?: string; tools?: unknown[]; structuredContent?: { rows: unknown[] } };
  error?: { code: number; message: string };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CALL = { name: 'forecast_accuracy', arguments: { place: 'KORD', days: 5 } };

// The command itself, with its arguments and its key: test/integration/programs/commands.test.ts.
describeInCi('forecast-accuracy mcp', () => {
  let service: TestService;
  let listening: Listening;

  before(async () => {
    ({ service } = await sharedContract());
    listening = await Listening.start(service);
  });
  after(async () => {
    await listening.stop();
  });

  /** Answers to lines that a host writes, by the id of the request. */
  const answers = async (
    lines: (string | object)[],
    url = listening.url,
    key = service.key,
  ): Promise<Message[]> => {
    const found: Message[] = [];
    async function* host(): AsyncGenerator<string> {
      for (const line of lines) {
        yield typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line });
        // A host waits for the answer to initialize before it goes on.
        for (let tries = 0; tries < 200 && found.length === 0; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    await bridge(host(), (line) => {
      expect(line).not.to.include('\n');
      found.push(JSON.parse(line) as Message);
    }, { url: new URL('/mcp', url), key }); // prettier-ignore
    return found.toSorted((a, b) => Number(a.id) - Number(b.id));
  };

  it('given a host of before 2026-07-28, then it has its handshake, the list, and an answer', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: META['io.modelcontextprotocol/clientInfo'],
    };
    const [begun, list, called, ...others] = await answers([
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: CALL },
    ]);
    expect(begun?.result?.protocolVersion).to.equal('2025-11-25');
    expect(list?.result?.tools).to.have.length(7);
    expect(called?.result?.structuredContent?.rows).to.have.length(1);
    expect(others).to.deep.equal([]);
  });

  it('given a host of 2026-07-28, then its requests have the headers that the server holds against them', async () => {
    const [list, called] = await answers([
      { id: 1, method: 'tools/list', params: { _meta: META } },
      { id: 2, method: 'tools/call', params: { ...CALL, _meta: META } },
    ]);
    expect(list?.result?.tools, JSON.stringify(list)).to.have.length(7);
    expect(called?.result?.structuredContent?.rows, JSON.stringify(called)).to.have.length(1);
  });

  it('given a wrong key, a dead server, or a line that is no JSON, then the host is told at once', async () => {
    const ask = { id: 7, method: 'tools/list', params: { _meta: META } };
    const [refused] = await answers([ask], listening.url, 'nonsense');
    expect([refused?.id, refused?.error?.message]).to.deep.equal([
      7,
      'The API key is not valid: it is unknown, mistyped or revoked',
    ]);
    const [gone] = await answers([ask], 'http://127.0.0.1:1');
    expect([gone?.id, gone?.error?.message]).to.deep.equal([7, 'http://127.0.0.1:1 cannot be reached']);
    const [broken] = await answers(['{"jsonrpc":']);
    expect([broken?.id, broken?.error?.code]).to.deep.equal([null, -32_700]);
  });

  describe('given a server of another kind', () => {
    let server: Server;
    let address: string;
    let left = false;
    let seen = '';
    before(async () => {
      server = createServer((request, response) => {
        seen = request.headers.authorization ?? '';
        response.once('close', () => (left = true));
        if (request.headers['mcp-method'] === 'tools/list')
          response.writeHead(302, { Location: listening.url }).end();
        else if (request.headers['mcp-method'] === 'ping') response.end('<html>');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('then a redirect takes the key nowhere, and a page is told to be none of ours', async () => {
      const [redirected] = await answers([{ id: 1, method: 'tools/list', params: { _meta: META } }], address);
      expect(redirected?.error?.message).to.match(/cannot be reached/);
      const [page] = await answers([{ id: 2, method: 'ping', params: { _meta: META } }], address);
      expect(page?.error?.message).to.match(/does not answer in JSON/);
    });

    it('when the host cancels, then the request is left, which ends its query, and is not answered', async () => {
      left = false;
      const call = { id: 1, method: 'tools/call', params: { ...CALL, _meta: META } };
      const found: string[] = [];
      async function* host(): AsyncGenerator<string> {
        seen = '';
        yield JSON.stringify({ jsonrpc: '2.0', ...call });
        while (seen === '') await new Promise((resolve) => setTimeout(resolve, 5));
        yield JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      }
      await bridge(host(), (line) => found.push(line), { url: new URL('/mcp', address), key: 'some' });
      while (!left) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(found).to.deep.equal([]);
      expect(seen).to.equal('Bearer some');
    });
  });
});
