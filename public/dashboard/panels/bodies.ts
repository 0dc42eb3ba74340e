import { late } from '../api.js';
import type { AnyBody } from '../body.js';
import { byDate } from './by-date.js';
import { byLeadTime } from './by-lead-time.js';

/** The bodies of the panels that the page begins with; the others come in a file of their own when one is asked or near. */
const FIRST: Record<string, AnyBody> = { 'by-date': byDate, 'by-lead-time': byLeadTime };

export const getBody = async (id: string): Promise<AnyBody> =>
  FIRST[id] ?? (await late(import('./later.js'))).LATER[id]!;
