import { expect } from 'chai';
import { aliasNote, findHolders } from '../../../src/ingest/read/shared-aliases.js';
import { CHICAGO_STATION } from '../../support/ingest/rows.js';

describe('an alias of two stations', () => {
  const station = (station_id: string, ...aliases: string[]) => ({ ...CHICAGO_STATION, station_id, aliases });

  it('given it in any case and with any blanks, then each is told with another, and no other station', () => {
    const stations = [
      station('KORD', "O'Hare", 'Windy City'),
      station('KMDW', 'WINDY  city', 'Midway'),
      station('KPWK', 'windy city'),
      station('KDPA', 'DuPage', 'dupage', 'Gary'),
      { ...station('KGYY', 'Gary'), withdrawn: true },
    ];
    const notes = stations.map((each) => aliasNote(each, findHolders(stations))?.detail);
    expect(notes).to.deep.equal([
      '"Windy City" of KORD, and of KMDW and 1 more',
      '"WINDY  city" of KMDW, and of KORD and 1 more',
      '"windy city" of KPWK, and of KORD and 1 more',
      undefined,
      undefined,
    ]);
  });
});
