import type { ComponentChildren } from 'preact';
import type { Parameters } from './address.js';
import type { Page } from './page.js';

/** Ends the requests of a panel whose responses have nothing to show: it goes, and names its need if all of its tab do. */
export class Lack extends Error {}

export const NO_COMMON_DAY = 'needs days that two providers forecast';

/** Rows of a panel; the first cell of each is its head. */
export interface Table {
  caption: string;
  columns: ComponentChildren[];
  rows: ComponentChildren[][];
}

/** A file of the response behind a panel. */
export interface Csv {
  what: string;
  path: string;
  query: Parameters;
}

/** The content of a panel: what it says, how it looks, the same as a table, and the way to its data. */
export interface View {
  title?: string;
  /** One sentence, its number first. */
  verdict?: string;
  /** Below it, in small: the interval, what it rests on, and what limits it. */
  caveat?: ComponentChildren;
  content: ComponentChildren;
  table?: Table;
  csv?: Csv;
}

/** The requests of a panel, and its view of their responses. */
export interface Body<Result> {
  /** Gets its responses; may throw a Lack. A copy of the service asks by it, too. */
  load: (page: Page) => Promise<Result>;
  view: (response: Result, page: Page) => View;
}

/** A body of any response. */
export type AnyBody = Body<unknown>;

/** A body among others: it alone knows its response. */
export const makeBody = <Result>(body: Body<Result>): AnyBody => body as AnyBody;
