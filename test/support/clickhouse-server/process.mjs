/* global process */
import { createRequire } from 'node:module';
import ffi from 'ffi-rs';

// A ClickHouse server: libchdb contains clickhouse-local with SYSTEM START LISTEN, and exports the function that runs it.
// node process.mjs CONFIG FOLDER [REPLICAS PORT]; the call returns when stdin ends, because its last statement reads stdin.
// REPLICAS is replicas.c, compiled, which lets the server have replicated tables, and fellows that find its parts at PORT.

const [, , config, folder, replicas, port] = process.argv;
const chdb = createRequire(createRequire(import.meta.url).resolve('chdb'));
const { platform, arch, report } = process;
const libc = platform !== 'linux' ? '' : report.getReport().header.glibcVersionRuntime ? '-gnu' : '-musl';
const library = chdb.resolve(`@chdb/lib-${platform}-${arch}${libc}/libchdb.so`);

ffi.open({ library: 'clickhouse', path: library });
if (replicas !== undefined) {
  ffi.open({ library: 'replicas', path: replicas });
  const failed = ffi.load({
    library: 'replicas',
    funcName: 'prepare_replica',
    retType: ffi.DataType.I32,
    paramsType: [ffi.DataType.String, ffi.DataType.I32],
    paramsValue: [library, Number(port)],
  });
  if (failed) throw new Error('replicas.c does not know the code of this libchdb');
}
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
