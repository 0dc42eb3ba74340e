import type { ApiResponse } from '../../responses/local-client.js';
import { readRows } from '../tool-rows.js';
import type { ToolRequest, Tool } from '../tool.js';

const MAX_LOADS = 5;
const MAX_SUSPECTS = 20;
const STALE_MINUTES = 36 * 60;

/** GET /accuracy/freshness, /providers, /loads, /stations/metadata, /data/suspects of a week and /seals in one. */
export const dataStatus: Tool = {
  name: 'data_status',
  title: 'State of the data',
  description:
    'Says how recent the data are and how far they reach, which providers there are, which loads as_of can name, and ' +
    'observations of a week in doubt.',
  parameters: {},
  more: {
    freshness: { type: 'object' },
    stations: { type: 'object' },
    loads: { type: 'array', items: { type: 'object' } },
  },
  row: 'One for each provider.',

  plan: (): ToolRequest[] => [
    { path: '/accuracy/freshness', query: {} },
    { path: '/providers', query: { variables: 'true' } },
    { path: '/loads', query: { limit: String(MAX_LOADS) } },
    { path: '/stations/metadata', query: {} },
    { path: '/data/suspects', query: { days: '7', limit: String(MAX_SUSPECTS) } },
    { path: '/seals', query: {} },
  ],

  handle(_values, responses) {
    type Responses = [ApiResponse, ApiResponse, ApiResponse, ApiResponse, ApiResponse, ApiResponse];
    const [freshness, providers, loads, metadata, suspects, seals] = responses as Responses;
    const { minutes_since_latest } = freshness.data as { minutes_since_latest: number | null };
    const stations = metadata.data as { data_active: boolean }[];
    const hints: string[] = [];
    const alarms = (providers.data as { alarms: string[] }[]).flatMap((each) => each.alarms);
    hints.push(...alarms);
    if (minutes_since_latest === null) hints.push('No forecasts of days are loaded');
    else if (minutes_since_latest > STALE_MINUTES) {
      hints.push(
        `The last forecasts came ${Math.round(minutes_since_latest / 60)} hours ago: windows that end today lack days`,
      );
    }
    return {
      more: {
        freshness: { ...(freshness.data as object), checkpoint: String(seals.data).split('\n') },
        stations: { total: stations.length, active: stations.filter((each) => each.data_active).length },
        suspects: readRows(suspects).map((row) =>
          Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
        ),
        loads: (loads.data as Record<string, unknown>[]).map(({ feeds: _feeds, ...load }) => load),
      },
      rows: providers.data as unknown[],
      hints,
    };
  },
};
