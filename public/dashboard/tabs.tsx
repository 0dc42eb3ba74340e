import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatSearch, type Tab, TABS } from './address.js';
import { opensElsewhere, usePage } from './page.js';
import { getBody } from './panels/bodies.js';
import type { findTabs } from './tab-list.js';

interface TabsProps {
  offered: ReturnType<typeof findTabs>;
  shown: Tab;
}

/** The tabs, each a link: arrow keys move the focus, Enter and Space open, as ARIA's tabs with manual activation. */
export function Tabs({ offered, shown }: TabsProps) {
  const page = usePage();
  const { params, show } = page;
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (chosen) row.current!.scrollLeft = chosen.offsetLeft - row.current!.clientWidth / 3;
  }, [shown]);
  /** Asks for what a tab would show, before it is opened. */
  const prefetch = (name: Tab): void => {
    for (const { id } of offered.find((each) => each.name === name)?.panels ?? [])
      getBody(id)
        .then((body) => body.load(page))
        .catch(() => {}); // the panel will say so
  };
  const press = (event: KeyboardEvent): void => {
    const tabs = [...row.current!.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.indexOf(event.target as HTMLElement);
    const places: Record<string, number> = {
      ...{ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 },
    };
    const to = event.key === ' ' ? at : places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (event.key === ' ') tabs[at]?.click();
    else tabs.at(to % tabs.length)?.focus();
  };
  return (
    <div {...{ id: 'tabs', class: 'tabs', role: 'tablist', ref: row, onKeyDown: press }} aria-label="Views">
      {offered.map(({ name }) => (
        <a
          {...{ id: `tab-${name}`, role: 'tab', key: name, tabIndex: name === shown ? 0 : -1 }}
          href={formatSearch({ ...params, view: name }) || './'}
          aria-selected={name === shown}
          aria-controls="panels"
          onPointerEnter={() => prefetch(name)}
          onFocus={() => prefetch(name)}
          onClick={(event) => {
            if (opensElsewhere(event)) return;
            event.preventDefault();
            if (name !== shown) show(name);
          }}
        >
          {TABS[name]}
        </a>
      ))}
    </div>
  );
}
