// The API key lives as long as the tab does: in its session storage, never in the URL, a cookie or a lasting store.

const NAME = 'forecast-accuracy-key';

/** Where the browser gives no storage, the key lives until the page is left. */
let inMemory = '';

/** Takes a key that a link brings, `#key=...`, out of the address and its history; tells if there was one. */
export function takeKeyFromAddress(): boolean {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  keepKey(key.trim());
  return true;
}

/** The served page says whether the service needs a key. */
export const isPublic = (): boolean => document.documentElement.dataset.public !== undefined;

/** The key; blank without one. */
export function currentKey(): string {
  try {
    return sessionStorage.getItem(NAME) ?? inMemory;
  } catch {
    return inMemory;
  }
}

/** Keeps a key; a blank one forgets. */
export function keepKey(key: string): void {
  inMemory = key;
  try {
    if (key === '') sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // The key in memory will do.
  }
}
