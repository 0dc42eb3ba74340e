// Error by lead time, in Node 20 or later; a page does the same where CORS_ORIGINS names its origin.
//   API_KEY=fas_... node examples/javascript.mjs Chicago
const { API_KEY, BASE_URL = 'http://127.0.0.1:8080' } = process.env;

const query = new URLSearchParams({ city: process.argv[2] ?? 'Chicago', days: 30 });
const response = await fetch(`${BASE_URL}/api/v1/accuracy/by-lead-time?${query}`, {
  headers: { Authorization: `Bearer ${API_KEY}` },
});
const { success, data, error } = await response.json();
if (!success) throw new Error(`${error.code}: ${error.message}`);

console.table(
  data.map(({ lead_time_bucket, stats }) => ({
    lead_time_bucket,
    pairs: stats.verification_pairs,
    mae: stats.mae,
    bias: stats.mean_error,
  })),
);
