import { readFileSync } from 'node:fs';

/** Where the version stands beside package.json, by file; each pattern matches the version alone. */
const PLACES: Record<string, RegExp> = {
  'clients/typescript/package.json': /(?<="version": ")[^"]+/g,
  'clients/python/pyproject.toml': /(?<=^version = ")[^"]+/gm,
  Dockerfile: /(?<=org\.opencontainers\.image\.version=")[^"]+/g,
  'docker-compose.yml': /(?<=image: forecast-accuracy-service:)\S+/g,
  'README.md': /(?<=\/forecast-accuracy-service:)[\d.]+/g,
  'docs/clients.md': /(?<=forecast-accuracy-client-)\d+(\.\d+)+/g,
  'docs/collecting.md': /(?<=forecast-accuracy-service\/)\d+(\.\d+)+/g,
};

/**
 * The text of these files with a version, by path from the package's folder.
 * @throws Error when a file has no place for it
 */
export function filesWithVersion(version: string): Map<string, string> {
  return new Map(
    Object.entries(PLACES).map(([file, place]) => {
      const text = readFileSync(file, 'utf8');
      if (text.search(place) === -1) throw new Error(`${file}: no version`);
      return [file, text.replace(place, version)];
    }),
  );
}
