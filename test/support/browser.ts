import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expectBuilt } from './process.js';
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

/** Chromium's path: that of CHROMIUM, or one in PATH. */
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
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome']) {
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
 * @param only the single rule to try, if it is not all
 */
export async function findViolations(page: Page, only?: 'color-contrast'): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const findings = await page.evaluate<Finding[]>(
    `axe.run(document, { resultTypes: ['violations'], ${only === undefined ? `rules: { 'target-size': { enabled: true } }` : `runOnly: ['${only}']`} }).then(({ violations }) => violations)`,
  );
  return findings.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** A page in a profile of its own, which remembers what must not happen. */
export class Visit {
  /** Errors of scripts, refusals of the content security policy, and requests to anywhere else. */
  readonly faults: string[] = [];

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
    page.on('request', (request) => {
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

  /** Waits until nothing is busy: each panel begins when it is in view. */
  async settled(): Promise<void> {
    await this.page.waitForSelector('#panels:not([hidden]) #headline[aria-busy=false]');
    // On the page: a question from here each time would take as much of the processors as the page itself.
    await this.page.evaluate(
      `new Promise((resolve) => {
        const look = () => {
          const waiting = document.querySelector('#panels .panel[aria-busy=true]:not([hidden])');
          if (waiting === null) return resolve();
          waiting.scrollIntoView({ block: 'center' });
          setTimeout(look, 20);
        };
        look();
      })`,
    );
    await this.page.waitForSelector('body:not(:has([aria-busy=true]:not([hidden]))) #panels:not([hidden])');
    await this.page.evaluate('scrollTo(0, 0)');
  }

  /** Makes the page so wide, and waits until plots are drawn anew: in one frame they learn of it, in the next they draw. */
  async resize(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: 800 });
    await this.page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))`,
    );
  }

  /** The field that chooses a station or a region. */
  get stations(): Locator {
    return this.page.getByRole('combobox', { name: 'Stations', exact: true });
  }

  /** Types into that field, and takes the option that has the text in its words. */
  async chooseStation(text: string): Promise<void> {
    await this.stations.fill(text);
    await this.page.getByRole('option', { name: text }).first().click();
  }

  async text(selector: string): Promise<string> {
    return (await this.page.innerText(selector)).replace(/\s+/g, ' ').trim();
  }

  /** The cells of a table, row by row, without its head. */
  async rows(selector: string): Promise<string[][]> {
    const rows = JSON.stringify(`${selector} tbody tr`);
    return this.page.evaluate<string[][]>(
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
