import type { MessagePort } from 'node:worker_threads';
import type { Task } from '../../src/responses/workers.js';

// A worker whose question says what becomes of it.

export default async function work({
  params: question,
  port,
}: Task & { port: MessagePort }): Promise<unknown> {
  const { does, counts } = question as unknown as { does: string; counts?: Int32Array };
  for (let turn = 0; does === 'goes on'; turn += 1) {
    Atomics.add(counts!, 0, 1);
    if (turn % 1000 === 0) await new Promise(setImmediate);
  }
  const hoard: number[][] = [];
  while (does === 'hoards') hoard.push(new Array<number>(10_000).fill(hoard.length + 0.5));
  if (does === 'breaks') throw new Error('broken');
  port.close();
  const body = new Uint8Array(Buffer.from('{}')).buffer;
  return { headers: {}, body, verified: true, workMs: 7 };
}
