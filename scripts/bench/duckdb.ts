import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { timed } from './measure.js';
import { type Numbers, numbersOfRows, type BenchRequest } from './requests.js';

// The tool that a user would reach for instead: DuckDB on the same rows, with two threads. Its tables have no index that helps
// with ranges, so the order of the rows decides: they are kept both by station and by date, and each request is asked
// of both once; the faster one competes.

const TABLES = ['by_station', 'by_date'] as const;

export interface Duck {
  /** Asks a request of the table that serves its kind faster, as one of the clients. @returns milliseconds */
  ask: (params: BenchRequest, client?: number) => Promise<number>;
  numbers: (params: BenchRequest) => Promise<Numbers>;
  close: () => void;
}

export async function openDuck(databaseFile: string, parquet: string, clients = 1): Promise<Duck> {
  const instance = await DuckDBInstance.create(databaseFile, { threads: '2', memory_limit: '4GB' });
  const connections = await Promise.all(Array.from({ length: clients }, () => instance.connect()));
  const [connection] = connections as [DuckDBConnection];
  for (const [table, order] of [
    ['by_station', 'metric, station_id, target_date'],
    ['by_date', 'metric, target_date, station_id'],
  ]) {
    await connection.run(
      `CREATE TABLE IF NOT EXISTS ${table} AS SELECT * FROM read_parquet('${parquet}') ORDER BY ${order}`,
    );
  }
  const best = new Map<string, string>();
  const read = async (params: BenchRequest, table: string, client = 0): Promise<unknown[]> =>
    (
      await (connections[client] ?? connection).runAndReadAll(params.duckSql.replace('$table', table))
    ).getRowObjectsJS();
  const bestTable = async (params: BenchRequest): Promise<string> => {
    let table = best.get(params.name);
    if (table !== undefined) return table;
    const times: [number, string][] = [];
    for (const each of TABLES) {
      await read(params, each);
      times.push([await timed(() => read(params, each)), each]);
    }
    table = times.sort(([a], [b]) => a - b)[0]?.[1] ?? TABLES[0];
    best.set(params.name, table);
    return table;
  };
  return {
    ask: async (params, client) => {
      const table = await bestTable(params);
      return timed(() => read(params, table, client));
    },
    numbers: async (params) => {
      const rows = await read(params, await bestTable(params));
      return numbersOfRows(rows as Parameters<typeof numbersOfRows>[0]);
    },
    close: () => {
      for (const each of connections) each.closeSync();
      instance.closeSync();
    },
  };
}
