import { expect } from 'chai';
import { parameters, readParams } from '../../../public/dashboard/address.js';
import { convertDegrees, convertedFrom } from '../../../public/dashboard/degrees.js';
import { remarkThere, withoutAdvice } from '../../../public/dashboard/sentences.js';

// Guards that a question stays the same in another unit, and under another name of its station.

describe('the degrees of a question, in another unit', () => {
  const fields = { forecast: '83.4', threshold: '85', event: '90' };

  it('given °F, then °C are tenths, and a whole degree for odds, which names what it is nearest to', () => {
    expect(convertDegrees(fields, true)).to.deep.equal({ forecast: '28.6', threshold: '29', event: '32.2' });
    expect(convertedFrom('29', '°C')).to.equal('85 °F');
    expect(convertedFrom('30', '°C')).to.equal(undefined);
  });

  it('given the way back, then it ends where it began', () => {
    expect(convertDegrees(convertDegrees(fields, true), false)).to.deep.equal(fields);
    expect(convertedFrom('85', '°F')).to.equal(undefined);
  });

  it('given a degree that is whole in both, then no other one is named', () => {
    expect(convertDegrees({ ...fields, threshold: '77' }, true).threshold).to.equal('25');
    expect(convertedFrom('25', '°C')).to.equal(undefined);
  });

  it('given blanks or other words, then they stay: the API tells what is wrong with them', () => {
    const blank = { forecast: '', threshold: 'warm', event: '' };
    expect(convertDegrees(blank, true)).to.deep.equal(blank);
  });
});

describe('a station in the address', () => {
  it('given a city, then it is the station of the request; given both, then the API gets both', () => {
    expect(parameters(readParams('?city=Chicago'))).to.include({ station_id: 'Chicago', city: '' });
    expect(parameters(readParams('?city=Boston&station_id=ORD'))).to.include({
      ...{ station_id: 'ORD', city: 'Boston' },
    });
  });
});

describe('a remark of the API, to a reader', () => {
  it('then the advice to operators behind its semicolons is left out', () => {
    const remark =
      'No temperature has been reported; load the feed of hours. The day has ended; ask for another';
    expect(withoutAdvice(remark)).to.equal('No temperature has been reported. The day has ended');
  });

  it('given instants, then they are by the clock of the station, as the rest of the page is', () => {
    const remark =
      'Nothing has been measured since 2026-01-02T05:53:00Z: these odds are those of hour 0; advice';
    expect(remarkThere(remark, 'America/Chicago')).to.equal(
      'Nothing has been measured since Thu, Jan 1 at 23:53 local time: these odds are those of hour 0',
    );
  });
});
