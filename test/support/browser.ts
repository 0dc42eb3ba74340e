import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expectBuilt } from './process.js';
import { retryOnce } from './runner/retry.js';
import { skip } from './runner/skip.js';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const SCREENSHOTS = fileURLToPath(new URL('../../build/screenshots/', import.meta.url));

let found: string | undefined;
let searched = false;
let browser: Browser | undefined;

/** How long anything may take that Playwright itself does not bound, against what hangs. */
const LONGEST_MS = 120_000;

/** Waits for a promise, and gives its result. @throws Error that names what was waited for, and what `tell` adds, when it hangs */
export async function within<Given>(
  what: string,
  promise: PromiseLike<Given>,
  tell: () => Promise<string> | string = () => '',
  longestMs = LONGEST_MS,
): Promise<Given> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<'hung'>((resolve) => (timer = setTimeout(() => resolve('hung'), longestMs)));
  const first = await Promise.race([promise.then((given) => ({ given })), hung]).finally(() =>
    clearTimeout(timer),
  );
  if (first !== 'hung') return first.given;
  throw new Error(`waited ${longestMs / 1000} s for ${what} ${await tell()}`.trim());
}

/** Chromium's path: that of CHROMIUM, or one in PATH, first the one without windows: it takes a third less processor. */
export function findChromium(): string | undefined {
  if (searched) return found;
  searched = true;
  found = inPath();
  if (found !== undefined)
    console.log(
      `The dashboard is tested in ${execFileSync(found, ['--version'], { encoding: 'utf8' }).trim()}.`,
    );
  return found;
}

function inPath(): string | undefined {
  for (const name of [
    process.env.CHROMIUM,
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
  ]) {
    if (name === undefined || name === '') continue;
    try {
      return execFileSync('/bin/sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim();
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

/** Starts Chromium for a suite, or skips the suite. For use as a `before` hook. */
export async function startChromium(this: Mocha.Context): Promise<void> {
  this.timeout(900_000);
  expectBuilt();
  const executablePath = findChromium();
  if (executablePath === undefined)
    skip(this, 'no Chromium; CHROMIUM=path names one, `make ci-tools` installs one');
  browser ??= await chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export async function stopChromium(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

interface Finding {
  id: string;
  help: string;
  nodes: { target: string[] }[];
}

/**
 * The violations that axe finds on a page, also of target sizes (WCAG 2.2 AA). By evaluate, as pages let no script in.
 * @param only the rules to try, if not all
 */
export async function findViolations(
  page: Page,
  only?: ('color-contrast' | 'target-size')[],
): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const rules = only
    ? { runOnly: { type: 'rule', values: only } }
    : { rules: { 'target-size': { enabled: true } } };
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(readFileSync(axe, 'utf8'));
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const findings = await within(
    `axe at ${page.url()}`,
    page.evaluate<Finding[]>(`axe.run(document, ${options}).then(({ violations }) => violations)`),
  );
  return findings.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** The panels of a page that are busy, where the first is, the address, and whether the page is drawn at all. */
const BUSY = `new Promise((resolve) => {
  const busy = [...document.querySelectorAll('[aria-busy=true]:not([hidden])')];
  const tell = (isDrawn) => {
    const { top, bottom } = busy[0]?.getBoundingClientRect() ?? {};
    resolve(JSON.stringify({
      url: location.pathname + location.search,
      busy: busy.map((each) => each.id || each.className),
      first: { top, bottom, of: innerHeight },
      isDrawn,
      visibility: document.visibilityState,
    }));
  };
  requestAnimationFrame(() => tell(true));
  setTimeout(() => tell(false), 2_000);
})`;

const PANELS = 'panels to be no more busy';

/** How long Chromium may draw nothing, once in hundreds of pages, until it is made to. */
const UNDRAWN_MS = 10_000;

/**
 * Looks on the page: a question from here each time would take as much of the processors as it. The look for days with
 * data counts too: it may end in another variable, with panels that are busy again.
 */
const UNTIL_SETTLED = `new Promise((resolve) => {
  let drawn = performance.now();
  let frame;
  const draw = () => {
    drawn = performance.now();
    frame = requestAnimationFrame(draw);
  };
  const end = (how) => {
    cancelAnimationFrame(frame);
    resolve(how);
  };
  const look = () => {
    const waiting = document.querySelector('[aria-busy=true]:not([hidden])');
    if (waiting === null) return end('settled');
    if (performance.now() - drawn > ${UNDRAWN_MS}) return end('not drawn');
    setTimeout(look, 20);
  };
  draw();
  look();
})`;

/** A page in a profile of its own, which remembers what must not happen. */
export class Visit {
  private readonly asked = new Set<string>();
  /** Errors of scripts, refusals of the content security policy, and requests to anywhere else. */
  readonly faults: string[] = [];
  /** Whether Chromium has left this page without an answer. */
  isHung = false;

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  /** @param url of the service, without a slash at its end */
  static async begin(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    if (browser === undefined) throw new Error('Chromium has not been started');
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(30_000);
    const visit = new Visit(await context.newPage(), url);
    const { page } = visit;
    page.on('pageerror', (error) => visit.faults.push(String(error)));
    page.on('console', (message) => {
      // Chromium logs every answer that is an error; the page has to deal with them, and the tests see whether it does.
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) visit.faults.push(message.text());
    });
    page.on('requestfinished', (request) => visit.asked.delete(request.url()));
    page.on('requestfailed', (request) => visit.asked.delete(request.url()));
    page.on('request', (request) => {
      visit.asked.add(request.url());
      if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) {
        visit.faults.push(`asked for ${request.url()}`);
      }
    });
    return visit;
  }

  /** Opens the dashboard with a key and waits until it shows everything. */
  async open(search: string, key: string): Promise<void> {
    await this.page.goto(`${this.url}/${search}#key=${key}`);
    await this.settled();
  }

  /** Waits until nothing is busy. */
  async settled(): Promise<void> {
    await this.page.waitForSelector('#headline[aria-busy=false]');
    for (
      let undrawn = 0;
      (await this.evaluate<string>(PANELS, UNTIL_SETTLED)) === 'not drawn';
      undrawn += 1
    ) {
      const of = this.page.url().replace(/#.*/, '');
      if (undrawn === 5) throw new Error(`Chromium does not draw ${of}`);
      console.log(`Chromium drew nothing for ${UNDRAWN_MS / 1000} s, at ${of}`);
      // It draws for a screenshot. A page that is not drawn learns of nothing that comes into view.
      await within('a screenshot', this.page.screenshot());
    }
    await this.page.waitForSelector('body:not(:has([aria-busy=true]:not([hidden]))) #headline');
  }

  /** As `page.evaluate`, which waits for ever. @throws Error that names what was waited for, and what the page waits for */
  async evaluate<Given>(what: string, script: string): Promise<Given> {
    return within(what, this.page.evaluate<Given>(script), async () => {
      const busy = await within('', this.page.evaluate<string>(BUSY), undefined, 5_000).catch(() => {
        // Once in thousands of pages Chromium stands still: it took no processor time for two minutes, so no script looped.
        this.isHung = true;
        retryOnce('Chromium answers nothing');
        return 'the page answers nothing';
      });
      return `${busy}, not answered: ${[...this.asked].join(' ') || 'nothing'}`;
    });
  }

  /** Makes the page so wide, and waits until plots are drawn anew: in one frame they learn of it, in the next they draw. */
  async resize(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: 800 });
    await this.evaluate(
      'three frames',
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))`,
    );
  }

  /** Opens a tab, and waits until it shows everything. */
  async show(tab: string): Promise<void> {
    await this.page.click(`#tab-${tab}`);
    await this.settled();
  }

  /** The tabs that are offered. */
  async tabs(): Promise<string[]> {
    return this.evaluate('tabs', `[...document.querySelectorAll('[role=tab]')].map(({ id }) => id.slice(4))`);
  }

  /** The field that chooses a station or a region. */
  get stations(): Locator {
    return this.page.getByRole('combobox', { name: 'Stations', exact: true });
  }

  /** Types into that field, and takes the option that has the text in its words. */
  async chooseStation(text: string): Promise<void> {
    await this.stations.fill(text);
    await this.page.locator('[role=option]', { hasText: text }).first().click();
  }

  async text(selector: string): Promise<string> {
    return (await this.page.innerText(selector)).replace(/\s+/g, ' ').trim();
  }

  /** The text of an element, also of what is folded away in it. */
  async wholeText(selector: string): Promise<string> {
    return ((await this.page.textContent(selector)) ?? '').replace(/\s+/g, ' ').trim();
  }

  /** The cells of a table, row by row, without its head. */
  async rows(selector: string): Promise<string[][]> {
    const rows = JSON.stringify(`${selector} tbody tr`);
    return this.evaluate<string[][]>(
      selector,
      `[...document.querySelectorAll(${rows})].map((row) => [...row.children].map((cell) => cell.textContent.trim()))`,
    );
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
  }

  async end(): Promise<void> {
    await this.page.context().close();
  }
}
