import { makeData } from '../../../scripts/bench/data.js';
import { readConfig } from '../../../src/config.js';
import { openStore } from '../../../src/store/engine/open.js';

// Fills DATA_DIR with 2,000 stations, in a process of its own: the embedded engine has one folder a process.

const { store, close } = await openStore(readConfig(process.env), 'command');
await makeData(store, { stations: 2000, days: Number(process.argv[2]), grain: 1 });
await close();
