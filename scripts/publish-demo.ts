import { once } from 'node:events';
import { demoConfig, loadSample } from '../src/cli/demo.js';
import { publish } from '../src/publish/publish.js';
import { readStations } from '../src/sample/generate.js';
import { withStore } from '../src/store/engine/open.js';
import { serveFiles } from './publish-demo/static-server.js';

// make publish-demo: a copy of some stations of the sample, and a web server of its files.

const FOLDER = 'build/publish-demo';
const STATIONS = 12;
const PORT = Number(process.env.PORT ?? 8081);

const stations = readStations()
  .slice(0, STATIONS)
  .map(({ station_id }) => station_id);
await withStore(demoConfig(process.env), async (store) => {
  const now = new Date();
  await loadSample(store, now, (isThere) =>
    console.log(isThere ? 'Loading the latest ...' : 'Loading the sample ...'),
  );
  console.log(`Writing a copy of ${STATIONS} stations to ${FOLDER}: a minute or two, less the next time ...`);
  const options = { metrics: ['high', 'low'], days: ['90'], units: [], pairs: true, maxFiles: 20_000 };
  await publish(store, FOLDER, undefined, { ...options, stations, now });
});
await once(serveFiles(FOLDER).listen(PORT, '127.0.0.1'), 'listening');
console.log(`http://127.0.0.1:${PORT}/ is a copy without a service; Ctrl-C stops it.`);
