// Side by side: what is compared runs in turns within one run, so that whatever else the machine does meets all alike.

/** The middle of the values; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs every contender once for warmth, then all in turns; each returns what it measured. */
export async function inTurns<Name extends string>(
  contenders: Record<Name, (round: number) => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (const name of names) await contenders[name](0);
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) measured[name].push(await contenders[name](round));
  }
  return measured;
}

/** Clients that ask until something has ended, each again as soon as it has its response. */
export async function askUntil(
  end: Promise<unknown>,
  clients: number,
  ask: (client: number) => Promise<number>,
): Promise<{ ms: number[]; per_second: number }> {
  const ms: number[] = [];
  const started = performance.now();
  let isOver = false;
  const asking = async (client: number): Promise<void> => {
    while (!isOver) ms.push(await ask(client));
  };
  await Promise.all([
    end.finally(() => (isOver = true)),
    ...Array.from({ length: clients }, (_, client) => asking(client)),
  ]);
  return { ms, per_second: (ms.length / (performance.now() - started)) * 1000 };
}
