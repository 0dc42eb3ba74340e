import { inTurns, median } from '../measure.js';
import { makeRequests } from '../requests.js';
import type { Figure } from '../report.js';
import { request, type Service } from '../service.js';

// Growth: what a request costs when there are twice as many stations, or twice as many days, as before.

export interface Grown {
  full: Service;
  half_stations: Service;
  half_days: Service;
}

export async function measureGrowth(
  services: Grown,
  { rounds, window }: { rounds: number; window: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, path, scope } of makeRequests(window)) {
    if (scope === 'each_station') continue; // its response grows with the stations
    process.stderr.write(`  ${name}\n`);
    const ask = (service: Service) => async (): Promise<number> => (await request(service, path)).total_ms;
    const measured = await inTurns(
      {
        full: ask(services.full),
        half_stations: ask(services.half_stations),
        half_days: ask(services.half_days),
      },
      rounds,
    );
    const full = median(measured.full);
    for (const [what, before] of [
      ['stations doubled', median(measured.half_stations)],
      ['days doubled', median(measured.half_days)],
    ] as const) {
      figures.push({
        section: `growth: ${name}`,
        what,
        value: full / before,
        unit: '×',
        made_of: `from ${before.toFixed(2)} to ${full.toFixed(2)} ms`,
        bar: { sign: '<=', bound: 1.25 },
      });
    }
  }
  return figures;
}
