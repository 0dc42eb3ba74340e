// The API key lives as long as the tab does: in its session storage, never in the URL, a cookie or a lasting store.

const NAME = 'forecast-accuracy-key';

/** Where the browser gives no storage, the key lives until the page is left. */
let inMemory = '';

/** Takes a key that a link brings, `#key=...`, and removes it from the address and from the history; tells if there was one. */
export function takeKeyFromAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return false;
  history.replaceState(null, '', location.pathname + location.search);
  keepKey(key.trim());
  return true;
}

/** Whether the service answers without a key: it says so in the page. */
export const isPublic = () => document.documentElement.dataset.public !== undefined;

/** @returns {string} blank without a key */
export function currentKey() {
  try {
    return sessionStorage.getItem(NAME) ?? inMemory;
  } catch {
    return inMemory;
  }
}

/** @param {string} key blank to forget the one there is */
export function keepKey(key) {
  inMemory = key;
  try {
    if (key === '') sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // The key in memory will do.
  }
}
