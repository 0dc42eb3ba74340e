import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';

/** The revisions of the protocol that are served: the current one, and those before, which begin with initialize. */
export const ERAS = ['2026-07-28', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

/** The answer of a tool. */
export interface ToolAnswer {
  request?: Record<string, unknown>;
  rows: Record<string, unknown>[];
  total_rows: number;
  truncated: boolean;
  hints: string[];
  http: string[];
  file?: string;
  [more: string]: unknown;
}

export interface Fault {
  code: string;
  message: string;
  details?: { parameter: string; message: string }[];
}

/** A host of an assistant: the official client, connected over HTTP. */
export class Assistant {
  private constructor(readonly client: Client) {}

  static async connect(url: string, key: string, era: Era = '2026-07-28'): Promise<Assistant> {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
    );
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return new Assistant(client);
  }

  /** Calls a tool that answers. The client itself holds the answer to the schema of the list once it has that. */
  async ask(name: string, given: Record<string, unknown> = {}, signal?: AbortSignal): Promise<ToolAnswer> {
    const { isError, structuredContent, text } = await this.#call(name, given, signal);
    expect(isError, text).not.to.equal(true);
    expect(JSON.parse(text), 'the text').to.deep.equal(structuredContent);
    expect(text.length).to.be.at.most(40_000);
    return structuredContent as ToolAnswer;
  }

  /** Calls a tool that refuses. */
  async refused(name: string, given: Record<string, unknown>): Promise<Fault> {
    const { isError, structuredContent, text } = await this.#call(name, given);
    expect(isError, text).to.equal(true);
    expect(structuredContent).to.equal(undefined);
    return (JSON.parse(text) as { error: Fault }).error;
  }

  async #call(name: string, given: Record<string, unknown>, signal?: AbortSignal) {
    const result = await this.client.callTool({ name, arguments: given }, signal && { signal });
    const [first] = result.content;
    return { ...result, text: first?.type === 'text' ? first.text : '' };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
