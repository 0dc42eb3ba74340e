import { type Tab, TABS } from './address.js';
import { findLack, type Known } from './needs.js';
import { PANELS } from './panels/declarations.js';

/** The panels of each tab that a request has, and the need that keeps one from having any. */
export const findTabs = (known: Known) =>
  (Object.keys(TABS) as Tab[]).map((name) => {
    const lacks = PANELS[name].map(({ needs }) => findLack(needs, known));
    const panels = PANELS[name].filter((_each, at) => lacks[at] === undefined);
    return { name, panels, lack: panels.length > 0 ? undefined : lacks.at(-1) };
  });

/** The first tab that has a panel, as far as the variable decides: a chance has some panels elsewhere. */
export const findTabOf = (panel: string, params: Known['params']): Tab | undefined =>
  findTabs({ params, providers: undefined, hasPairs: true, isCopy: false }).find(({ panels }) =>
    panels.some(({ id }) => id === panel),
  )?.name;
