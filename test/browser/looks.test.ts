import { expect } from 'chai';
import { Visit } from '../support/browser.js';
import { type Listening, withPage } from '../support/dashboard.js';

// Guards that nothing on the page hides anything else, at the widths of a phone and of a desk.

/** Two cards beside each other end together, px. */
const MOST_APART = 24;
const LEAST_PLOT = 220;
/** The first plot of a phone begins on its first screen, px. */
const FIRST_PLOT = 700;

interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The rectangles of elements that are seen, with their texts. */
const boxesOf = (selector: string): string => `(() => {
  const shown = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.textContent.trim() !== '');
  return shown.map((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return { name: (each.id || each.textContent).trim().slice(0, 40), left, top, right, bottom };
  }).filter(({ left, right }) => right > left);
})()`;

/** The texts of each plot, and whether its edges cut them. A line of text is higher than its letters. */
const LABELS = `[...document.querySelectorAll('.plot')].map((plot) => {
  const edge = plot.getBoundingClientRect();
  return [...plot.querySelectorAll('text')].map((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const isCut = left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 2 || bottom > edge.bottom + 2;
    return { name: each.textContent, left, top: top + 2, right, bottom: bottom - 2, isCut };
  }).filter(({ name }) => name !== '');
})`;

/** Pairs of boxes that share more than a hair. */
const overlaps = (boxes: Box[]): string[] =>
  boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
      )
      .map((other) => `"${one.name}" and "${other.name}"`),
  );

describe('the looks of the dashboard', function () {
  this.timeout(300_000);
  let service: Listening;

  withPage((started) => (service = started));

  for (const search of [
    '',
    '?days=365',
    '?days=7&metric=low&view=provider',
    '?view=likely',
    '?station_id=KORD&view=happened',
    '?station_id=EGLL&threshold=70',
    '?station_id=XXSS&days=30',
    '?temp_unit=celsius&map=us',
  ])
    describe(`given ${search || 'nothing'}`, () => {
      let visit: Visit;

      before(async () => {
        visit = await Visit.begin(service.url, {
          viewport: { width: 360, height: 800 },
          reducedMotion: 'reduce',
        });
        await visit.open(search, service.key);
      });
      after(() => visit?.end());

      for (const width of [360, 1280])
        describe(`${width} px wide`, () => {
          before(() => visit.resize(width));

          it('then no label of a plot overlaps another, and each is whole', async () => {
            const plots = await visit.page.evaluate<(Box & { isCut: boolean })[][]>(LABELS);
            for (const labels of plots) {
              expect(labels).to.have.length.above(2);
              expect(overlaps(labels)).to.deep.equal([]);
              expect(labels.filter(({ isCut }) => isCut).map(({ name }) => name)).to.deep.equal([]);
            }
          });

          it('then the marks of the map lie apart', async () => {
            const marks = await visit.page.evaluate<Box[]>(boxesOf('#map [data-station] text'));
            expect(overlaps(marks)).to.deep.equal([]);
          });

          it('then cards beside each other end together, and no text leaves its card', async () => {
            const cards = await visit.page.evaluate<Box[]>(boxesOf('.panel'));
            expect(overlaps(cards)).to.deep.equal([]);
            for (const one of cards)
              for (const other of cards) {
                const areBeside = Math.abs(one.top - other.top) < MOST_APART;
                if (areBeside) expect(Math.abs(one.bottom - other.bottom)).to.be.at.most(MOST_APART);
              }
            const wide = await visit.page.evaluate<number>(
              `[...document.querySelectorAll('.panel')].filter((each) => each.scrollWidth > each.clientWidth + 1).length`,
            );
            expect(wide).to.equal(0);
          });

          if (width === 1280)
            it('then the tables behind details are as wide as their cards', async () => {
              const cut = await visit.page.evaluate<string[]>(
                `[...document.querySelectorAll('.panel details')].flatMap((each) => {
              each.open = true;
              const table = each.querySelector('table');
              const isCut = table && table.scrollWidth > table.parentElement.clientWidth;
              each.open = false;
              return isCut ? [each.closest('.panel').id] : [];
            })`,
              );
              expect(cut).to.deep.equal([]);
            });

          it('then each plot has its height below two lines of text at most, and a phone begins with one', async () => {
            const plots = await visit.page.evaluate<{ height: number; top: number; parts: number }[]>(
              `[...document.querySelectorAll('.plot')].map((each) => ({ height: each.clientHeight, top: each.getBoundingClientRect().top, parts: each.classList.contains('parts-2') ? 2 : 1 }))`,
            );
            for (const { height, parts } of plots) expect(height / parts).to.be.at.least(LEAST_PLOT);
            // A name of 86 characters takes lines of its own.
            if (width === 360 && ['', '?days=365'].includes(search))
              expect(plots[0]?.top).to.be.at.most(FIRST_PLOT);
            const lines = await visit.page.evaluate<number[]>(
              `[...document.querySelectorAll('.body > .caveat:has(+ .figure)')].map((each) => Math.round(each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)))`,
            );
            if (width === 1280) for (const count of lines) expect(count).to.be.at.most(2);
          });
        });
    });

  it('when it is printed, then the shown tab is on the paper, and each of its plots', async () => {
    const visit = await Visit.begin(service.url, { colorScheme: 'dark' });
    await visit.open('?station_id=EGLL&view=likely', service.key);
    await visit.page.emulateMedia({ media: 'print' });
    const plots = await visit.page.evaluate<number[]>(
      `[...document.querySelectorAll('.plot svg')].map((each) => Math.min(each.clientWidth, each.clientHeight))`,
    );
    expect(plots).to.have.lengthOf(4);
    for (const size of plots) expect(size).to.be.greaterThan(100);
    for (const hidden of ['#controls', '#tabs']) expect(await visit.page.isVisible(hidden)).to.equal(false);
    expect(
      await visit.page.evaluate('getComputedStyle(document.querySelector(".panel")).backgroundColor'),
    ).to.equal('rgb(255, 255, 255)');
    expect((await visit.page.pdf()).length).to.be.greaterThan(30_000);
    expect(visit.faults).to.deep.equal([]);
    await visit.end();
  });
});
