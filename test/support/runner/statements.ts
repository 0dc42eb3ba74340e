// How many statements the engine of this process has run: what a test costs, the same on each machine.

let count: (() => Promise<number>) | undefined;
let ofAll = 0;
let sharing: Promise<unknown> = Promise.resolve();

/** Tells how many statements the engine has run, this question among them. */
export function countWith(counter: () => Promise<number>): void {
  count = counter;
}

/** Statements until now, but for those of `forAll`; none before there is an engine. */
export async function statementsSoFar(): Promise<number> {
  return count === undefined ? 0 : (await count()) - (ofAll += 1);
}

/** Makes what the files of a process share, one thing after the other: its statements are no single file's. */
export async function forAll<Made>(make: () => Promise<Made>): Promise<Made> {
  const made = sharing.then(async () => {
    const before = await statementsSoFar();
    const result = await make();
    ofAll += (await statementsSoFar()) - before;
    return result;
  });
  sharing = made.catch(() => {});
  return made;
}
