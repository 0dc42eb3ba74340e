import fc from 'fast-check';
import { expect } from 'chai';
import { escapeName, fileOf } from '../../../public/dashboard/published.js';

// Guards that any host of files takes the names of a copy: nothing else reads them without a browser.

/** The text of an escaped name. */
const unescape = (name: string): string => decodeURIComponent(name.replaceAll('~', '%'));

describe('the file of a response', () => {
  it('given parameters, then they stand by name, whatever their order, without blank ones', () => {
    const given = { station_id: 'KORD', metric: 'high', provider: '', days: '90', ci: '0.95' };
    const file = 'accuracy/summary/ci=0.95&days=90&metric=high&station_id=KORD.json';
    expect(fileOf('accuracy/summary', given)).to.equal(file);
    const turned = Object.fromEntries(Object.entries(given).reverse());
    expect(fileOf('accuracy/summary', turned)).to.equal(file);
    expect(fileOf('providers', {})).to.equal('providers/all.json');
  });

  it('given Fahrenheit by name, then it is the file of a request without a unit', () => {
    expect(fileOf('a', { units: 'us' })).to.equal(fileOf('a', { units: '' }));
    expect(fileOf('a', { units: 'metric' })).to.equal('a/units=metric.json');
    // Without units, winds are in kt.
    expect(fileOf('a', { units: 'us', metric: 'max_gust' })).to.equal('a/metric=max_gust&units=us.json');
  });

  it('given signs on which hosts disagree, then they are ~ and a code', () => {
    expect(fileOf('a', { lead_time_bucket: '72h+,0-6h' })).to.equal('a/lead_time_bucket=72h~2b,0-6h.json');
    expect(escapeName('../é "%~')).to.equal('..~2f~c3~a9~20~22~25~7e');
  });

  it('given any texts, then no part is longer than a file system takes, and the name can be read back', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const file = fileOf('accuracy/compare', { a: `x${a}`, b: `x${b}` });
        expect(file).to.match(/^accuracy\/compare\/[A-Za-z0-9._,~=&/-]+\.json$/);
        for (const part of file.split('/')) {
          expect(part.length).to.be.within(1, 255);
          expect(['.', '..']).not.to.include(part);
        }
        const words = unescape(file.replace('accuracy/compare/', '').replaceAll('/', '').slice(0, -5));
        expect(words).to.equal(`a=x${a}&b=x${b}`);
      }),
    );
  });
});
