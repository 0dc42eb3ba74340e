import { ApiFault } from './api.js';

// The libraries weigh more than the page itself, so it does not wait for them: the first numbers are there before them.

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** uPlot. */
export const charts = () => scripts('uplot.js');

/** d3-geo, with what it needs, and topojson-client. */
export const maps = () => scripts('d3-array.js', 'd3-geo.js', 'topojson.js');

/** @param {string[]} names files beside this one, so of the same version; each leaves a global */
async function scripts(...names) {
  await Promise.all(names.map((name) => script(name)));
}

/** @param {string} name */
function script(name) {
  let loaded = loading.get(name);
  if (loaded === undefined) {
    loaded = new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = new URL(`./${name}`, import.meta.url).href;
      element.async = false; // they run in this order
      element.onload = () => resolve();
      element.onerror = () => {
        loading.delete(name);
        element.remove();
        reject(new ApiFault('OUTDATED'));
      };
      document.head.append(element);
    });
    loading.set(name, loaded);
  }
  return loaded;
}
