import { CLOCK } from '../collect/clock.js';
import { groupBy } from '../collect/collected-spans.js';
import { getOrigin, type SourceFile } from '../collect/files/source-file.js';
import { Host } from '../collect/host/host.js';
import { UserError } from '../lib/user-error.js';
import { VERSION } from '../lib/version.js';

/** The distance between requests for which waits are made. */
const USUAL_GAP_MS = 1000;

/** The hosts of source files: one for all files of an address, at the pace of the slowest. */
export function makeFileHosts(
  files: readonly SourceFile[],
  user_agent: string,
  keys: Readonly<Record<string, string>>,
): Record<string, Host> {
  return Object.fromEntries(
    [...groupBy(files, getOrigin)].map(([url, list]) => {
      const gap_ms = Math.max(...list.map(({ gap }) => gap));
      const isPublic = !list.every(({ local }) => local);
      const budgets = list.find(({ budget }) => budget !== undefined)?.budget;
      const pace = Math.min(1, gap_ms / USUAL_GAP_MS);
      return [
        url,
        new Host({ url, gap_ms, user_agent, pace, keys, isPublic, ...(budgets && { budgets }) }, CLOCK),
      ];
    }),
  );
}

/** @throws UserError */
export const getUserAgent = (contact: string): string =>
  `forecast-accuracy-service/${VERSION} (+${parseContact(contact)})`;

/** @throws UserError for an address that nobody could be reached under */
function parseContact(contact: string): string {
  const isMail = /^[\x21-\x7e]+$/.test(contact) && /^[^@]+@[^@.]+\.[^@]+$/.test(contact);
  const isPage = /^https?:\/\/[\x21-\x7e]+$/.test(contact) && URL.canParse(contact);
  if ((!isMail && !isPage) || /[()\\]/.test(contact))
    throw new UserError('--contact: must be an e-mail address or the URL of a page');
  return contact;
}
