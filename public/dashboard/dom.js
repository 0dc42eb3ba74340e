// Elements are made, never parsed: what comes from the API can only ever be text.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes functions are listeners; false, null and undefined leave an attribute out
 * @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === 'number' ? String(child) : child);
    }
  }
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export const h = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/**
 * The element of the page with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element has the id ${id}`);
  return found;
}

/**
 * Replaces the content of a place; what had the focus there has it again, known by its first data attribute.
 * @param {HTMLElement} place
 * @param {(Node | string)[]} children
 */
export function replaceContent(place, ...children) {
  const active = document.activeElement;
  const [name, value] =
    active instanceof HTMLElement && place.contains(active) ? (Object.entries(active.dataset)[0] ?? []) : [];
  place.replaceChildren(...children);
  if (name === undefined || value === undefined) return;
  const again = place.querySelector(`[data-${name}="${CSS.escape(value)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/**
 * A table of text; the first cell of a row is its head.
 * @param {string} caption
 * @param {string[]} columns
 * @param {string[][]} rows
 */
export function table(caption, columns, rows) {
  return h(
    'table',
    {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, ...columns.map((name) => h('th', { scope: 'col' }, name)))),
    h(
      'tbody',
      {},
      ...rows.map(([head, ...cells]) =>
        h('tr', {}, h('th', { scope: 'row' }, head), ...cells.map((cell) => h('td', {}, cell))),
      ),
    ),
  );
}

/** @param {string} name a custom property of the style sheet */
export const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
