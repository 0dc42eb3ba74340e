const HOUR_MS = 3_600_000;

/** The hours at which a bucket ends and the next one begins (D5, D40), with both. */
const EDGES = [
  { hours: 0, below: 'same-day', from: '0-6h' },
  { hours: 6, below: '0-6h', from: '6-12h' },
  { hours: 12, below: '6-12h', from: '12-24h' },
  { hours: 24, below: '12-24h', from: '24-48h' },
  { hours: 48, below: '24-48h', from: '48-72h' },
  { hours: 72, below: '48-72h', from: '72h+' },
];

/** Lead times at each edge and a millisecond beside it, with their buckets. */
export const LEADS_AT_EDGES = EDGES.flatMap(({ hours, below, from }) => [
  { lead_ms: hours * HOUR_MS - 1, bucket: below },
  { lead_ms: hours * HOUR_MS, bucket: from },
  { lead_ms: hours * HOUR_MS + 1, bucket: from },
]);
