import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLIENT = fileURLToPath(new URL('../../../clients/python/', import.meta.url));
const DRIVER = fileURLToPath(new URL('drive.py', import.meta.url));

const run = promisify(execFile);

/** Whether there is a program, such as python3. */
export async function isThere(program: string, args = ['--version']): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/** A Python that has a package: that of PATH, or the system's. */
export async function pythonWith(name: string): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3'])
    if (await isThere(python, ['-c', `import ${name}`])) return python;
  return undefined;
}

/** Runs a program that uses the Python client; what it prints. */
export async function runPython(args: readonly string[], env: object, input = ''): Promise<string> {
  const python = run('python3', args, {
    env: { ...process.env, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1', no_proxy: '*', ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  python.child.stdin?.end(input);
  return (await python).stdout;
}

/** Results of some calls of the Python client: an answer, the list of its pairs, or what its error tells. */
export async function askPython(
  { url, key }: { url: string; key: string },
  calls: readonly [operation: string, parameters?: object][],
  options: object = {},
): Promise<unknown[]> {
  const named = calls.map(([operation, parameters = {}]) => [
    operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    parameters,
  ]);
  const printed = await runPython([DRIVER], {}, JSON.stringify({ url, key, options, calls: named }));
  return JSON.parse(printed) as unknown[];
}
