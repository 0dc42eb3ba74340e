/* global process */
import { createRequire } from 'node:module';
import ffi from 'ffi-rs';

// A ClickHouse server: libchdb contains clickhouse-local with SYSTEM START LISTEN, and exports the function that runs it.
// node process.mjs CONFIG FOLDER; the call returns when stdin ends, because its last statement reads stdin.

const [, , config, folder] = process.argv;
const chdb = createRequire(createRequire(import.meta.url).resolve('chdb'));
const { platform, arch, report } = process;
const libc = platform !== 'linux' ? '' : report.getReport().header.glibcVersionRuntime ? '-gnu' : '-musl';
const library = chdb.resolve(`@chdb/lib-${platform}-${arch}${libc}/libchdb.so`);

ffi.open({ library: 'clickhouse', path: library });
const args = [
  'clickhouse',
  `--config-file=${config}`,
  `--path=${folder}`,
  '--multiquery',
  '--structure=line String',
  '--input-format=LineAsString',
  '--query=SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM table',
];
ffi.load({
  library: 'clickhouse',
  funcName: 'chdb_query_cmdline',
  retType: ffi.DataType.External,
  paramsType: [ffi.DataType.I32, ffi.DataType.StringArray],
  paramsValue: [args.length, args],
});
process.exit();
