import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { PageContext, usePage } from './page.js';

/**
 * A dimmed view keeps the page that it was made for until the next view is there: what it holds would else write the
 * numbers of one unit beside the name of the other.
 */
export function Frozen({ isBusy, children }: { isBusy: boolean; children: ComponentChildren }) {
  const page = usePage();
  const kept = useRef(page);
  if (!isBusy) kept.current = page;
  return <PageContext.Provider value={kept.current}>{children}</PageContext.Provider>;
}
