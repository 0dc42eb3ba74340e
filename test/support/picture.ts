import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { load } from '../../src/ingest/load.js';
import { writeSample } from '../../src/sample/generate.js';
import { findChromium, FLAGS } from './browser.js';
import { listen } from './dashboard.js';
import { openTestStore, temporaryFolder } from './store.js';

// npm run picture: the pictures of the dashboard in README.md, of the sample as of a fixed day.

const NOW = '2026-10-05T12:00:00Z';
const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const MAX_BYTES = 200_000;

const store = await openTestStore();
const { stations, forecasts, observations, hours, hourly_forecasts } = await writeSample(
  temporaryFolder(),
  NOW,
);
await load(store, {
  stations: [stations],
  forecasts: [forecasts],
  observations: [observations],
  hours: [hours],
  hourly_forecasts: [hourly_forecasts],
});
const service = await listen(store, { now: NOW });
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('no Chromium; CHROMIUM=path names one');
const browser = await chromium.launch({ executablePath, args: FLAGS });
mkdirSync(FOLDER, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 1010 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.goto(`${service.url}/#key=${service.key}`);
  await page.waitForSelector(
    'body:not(:has(#by-date[aria-busy=true], #by-lead-time[aria-busy=true], #controls[aria-busy=true]))',
  );
  await page.waitForLoadState('networkidle');
  const path = `${FOLDER}dashboard-${colorScheme}.png`;
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; at most ${MAX_BYTES} are meant`);
  console.log(`${path}: ${size} bytes`);
}
await browser.close();
await service.stop();
await store.close();
