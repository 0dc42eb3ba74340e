import { expect } from 'chai';
import { parseCorrection, readMetar } from '../../../src/collect/sources/asos/metar.js';
import { GapError } from '../../../src/collect/source.js';
import { refusalOf } from '../../support/refusal.js';

// Forms of the Federal Meteorological Handbook No. 1, chapter 12, and those of other countries.

/** The values that are read, on a line: temperature max/min precipitation sky; - where it says nothing. */
function said(text: string): string {
  const refusal = refusalOf(GapError, () => readMetar(text));
  if (refusal !== '') return `unusable: ${refusal}`;
  const metar = readMetar(text);
  if (metar === undefined) return 'nothing';
  const { temp_c, max_6h_c, min_6h_c, precip_in, sky: cover } = metar;
  const cells = [temp_c, max_6h_c, min_6h_c, precip_in, cover];
  const [temp, max, min, precip, sky] = cells.map((cell) => cell || '-');
  return `${temp} ${max}/${min} ${precip} ${sky}`;
}

const US = 'KXYZ 151753Z 24008KT 10SM';
const IN_REMARKS = `${US} CLR 24/10 A3000 RMK AO2`;

const FORMS: readonly (readonly [what: string, text: string, said: string])[] = [
  ['the tenths of its remarks before its whole degrees', `${IN_REMARKS} T02390100`, '23.9 -/- - CLR'],
  ['whole degrees where there are no tenths', `${US} CLR 24/10 A3000 RMK AO2`, '24 -/- - CLR'],
  ['whole degrees where there are no remarks', `${US} CLR 24/10 A3000`, '24 -/- - CLR'],
  ['tenths where the body has no degrees', `${US} CLR A3000 RMK AO2 T02390100`, '23.9 -/- - CLR'],
  ['tenths without a dew point', `${IN_REMARKS} T0239`, '23.9 -/- - CLR'],
  ['tenths with a missing dew point', `${IN_REMARKS} T0239////`, '23.9 -/- - CLR'],
  ['tenths below zero', `${US} CLR M03/M10 A3000 RMK AO2 T10281100`, '-2.8 -/- - CLR'],
  ['a zero that comes from below', `${US} CLR M00/M10 A3000 RMK AO2 T10001100`, '0 -/- - CLR'],
  ['whole degrees from half a degree below zero', `${US} CLR M00/M10 A3000`, '0 -/- - CLR'],
  ['degrees without a dew point', `${US} CLR 24/ A3000`, '24 -/- - CLR'],
  ['degrees with a missing dew point', `${US} CLR 24/// A3000`, '24 -/- - CLR'],
  ['degrees with an unknown dew point', `${US} CLR M24/XX A3000`, '-24 -/- - CLR'],
  ['tenths only from remarks', `${US} CLR T02390100 24/10 A3000`, '24 -/- - CLR'],
  ['no degrees from remarks', `${US} CLR A3000 RMK AO2 24/10`, 'nothing'],

  ['the extremes of six hours', `${IN_REMARKS} T02390100 10250 20189`, '23.9 25/18.9 - CLR'],
  ['extremes below zero', `${US} CLR M03/M10 A3000 RMK AO2 T10281100 11011 21056`, '-2.8 -1.1/-5.6 - CLR'],
  ['an extreme that is the temperature', `${IN_REMARKS} T02390100 10239 20239`, '23.9 23.9/23.9 - CLR'],
  ['extremes beside whole degrees', `${IN_REMARKS} 10236 20244`, '24 23.6/24.4 - CLR'],
  ['no extremes of a whole day', `${IN_REMARKS} T02390100 402500189`, '23.9 -/- - CLR'],
  ['no extremes from the body', `${US} 10250 20189 CLR 24/10 A3000 RMK AO2`, '24 -/- - CLR'],
  ['no maximum below the temperature', `${IN_REMARKS} T02390100 10128 20189`, '23.9 -/18.9 - CLR'],
  ['the maximum behind an invalid group', `${IN_REMARKS} 10128 T02390100 10250`, '23.9 25/- - CLR'],
  ['no minimum above the temperature', `${IN_REMARKS} T02390100 20250`, '23.9 -/- - CLR'],
  ['no maximum that nobody has had', `${IN_REMARKS} T02390100 10999`, '23.9 -/- - CLR'],
  ['no minimum that nobody has had', `${IN_REMARKS} T02390100 21999`, '23.9 -/- - CLR'],
  ['no extreme with another sign than 0 and 1', `${IN_REMARKS} T02390100 12250 22189`, '23.9 -/- - CLR'],

  ['precipitation in hundredths of an inch', `${IN_REMARKS} P0103 T02390100`, '23.9 -/- 1.03 CLR'],
  ['a trace as none', `${IN_REMARKS} P0000 T02390100`, '23.9 -/- 0 CLR'],
  ['no precipitation that is not known', `${IN_REMARKS} PNO T02390100`, '23.9 -/- - CLR'],
  ['no precipitation of other hours', `${IN_REMARKS} 60010 70015 T02390100`, '23.9 -/- - CLR'],
  ['no more in an hour than ever fell', `${IN_REMARKS} P2000 T02390100`, '23.9 -/- - CLR'],
  ['no precipitation from the body', 'KXYZ 151753Z P0003 CLR 24/10 RMK AO2', '24 -/- - CLR'],
  ['no visibility of more than six miles as such', 'KXYZ 151753Z 24008KT P6SM CLR 24/10', '24 -/- - CLR'],

  ['the greatest of several covers', `${US} FEW015 BKN040 SCT250 24/10`, '24 -/- - BKN'],
  ['an overcast above a broken layer', `${US} BKN008 OVC012 24/10`, '24 -/- - OVC'],
  ['a sky that cannot be seen', 'KXYZ 151753Z 00000KT 1/4SM FG VV002 24/24', '24 -/- - VV'],
  ['a sky that cannot be seen, whatever lies over it', `${US} FG VV002 OVC010 24/24`, '24 -/- - VV'],
  ['a layer with its clouds', `${US} FEW030CB SCT045TCU 24/10`, '24 -/- - SCT'],
  ['a layer of unknown height', 'EGXX 151750Z AUTO 24008KT 9999 BKN/// 24/10 Q1021', '24 -/- - BKN'],
  ['a layer of unknown clouds', 'EGXX 151750Z AUTO 24008KT 9999 BKN012/// 24/10 Q1021', '24 -/- - BKN'],
  ['no cover where its amount is unknown', 'EGXX 151750Z AUTO 9999 ///012 ////// 24/10', '24 -/- - -'],
  ['no cover from remarks', `${US} 24/10 A3000 RMK AO2 BKN012 OVC012 T02390100`, '23.9 -/- - -'],
  ...['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK'].map(
    (word) => [`${word} as clear`, `EGXX 151750Z 24008KT ${word} 24/10 Q1021`, '24 -/- - CLR'] as const,
  ),

  ['whole degrees abroad', 'EGXX 151750Z 24008KT 9999 FEW020 04/M01 Q1021 NOSIG', '4 -/- - FEW'],
  [
    'no sky or degrees of a forecast',
    'EGXX 151750Z FEW020 04/M01 TEMPO BKN004 BECMG OVC002 09/08',
    '4 -/- - FEW',
  ],
  ...['TEMPO', 'BECMG', 'INTER', 'PROB30', 'FM1800', 'NOSIG'].map(
    (word) =>
      [`no sky behind ${word}`, `EGXX 151750Z FEW020 04/M01 Q1021 ${word} OVC004`, '4 -/- - FEW'] as const,
  ),
  ['no degrees of a forecast alone', 'EGXX 151750Z 24008KT 9999 BECMG FM1800 BKN004 09/08', 'nothing'],
  ['remarks behind a forecast', 'RJXX 151750Z FEW020 04/M01 Q1021 NOSIG RMK 1CU020 P0003', '4 -/- 0.03 FEW'],
  ['a special', `SPECI ${US} CLR 24/10 A3000 RMK AO2 T02390100`, '23.9 -/- - CLR'],
  ['a report that ends with =', `METAR ${IN_REMARKS} T02390100 10250=`, '23.9 25/- - CLR'],
  ['a station that wants maintenance', `${IN_REMARKS} T02390100 $`, '23.9 -/- - CLR'],

  ['nothing of a report that was not made', 'KXYZ 151753Z NIL', 'nothing'],
  ['nothing of one without a temperature', `${US} CLR A3000 RMK AO2 10250 20189`, 'nothing'],
  ['nothing of one whose temperature is missing', 'EGXX 151750Z AUTO /////KT //// ////// /////', 'nothing'],
  ['nothing of a cell that is missing', 'M', 'nothing'],
  ['nothing of an empty one', '', 'nothing'],
  ['no fractions of miles as degrees', 'KXYZ 151753Z 00000KT 11/2SM M1/4SM R04/1200FT CLR', 'nothing'],
  ['no peak wind as an extreme', `${IN_REMARKS} PK WND 10250/15 20189/22 T02390100`, '23.9 -/- - CLR'],
  [
    'nothing else that five digits begin',
    `${IN_REMARKS} SLP128 60010 70015 51012 4/010 8/578 933010 98010 T02390100`,
    '23.9 -/- - CLR',
  ],

  [
    'degrees that contradict each other',
    `${US} CLR 24/10 RMK AO2 T01390100`,
    'unusable: 24 °C in its body and 13.9 °C in its remarks',
  ],
  ['a warmth that is nowhere', `${US} CLR 61/10 A3000`, 'unusable: 61 °C is not plausible at an airport'],
  ['a cold that is nowhere', `${US} CLR M96/M99 A3000`, 'unusable: -96 °C is not plausible at an airport'],
];

describe('the report of an airport', () => {
  for (const [what, text, expected] of FORMS) it(`says ${what}`, () => expect(said(text)).to.equal(expected));

  for (const [text, number] of [
    ['KXYZ 151753Z COR 24008KT 10SM', 1],
    ['METAR COR KXYZ 151753Z 24008KT 10SM', 1],
    ['METAR KXYZ 151753Z AUTO COR 24008KT', 1],
    ['CYXX 151700Z CCA 24008KT 15SM', 1],
    ['CYXX 151700Z CCB 24008KT 15SM', 2],
    ['METAR CYXX 151700Z AUTO CCC 24008KT 15SM', 3],
    ['KXYZ 151753Z AUTO 24008KT 10SM', 0],
    ['KXYZ 151753Z 24008KT 10SM CLR 24/10 A3000 RMK AO2 COR 1810', 0],
  ] as const)
    it(`is correction ${number}: ${text}`, () => expect(parseCorrection(text)).to.equal(number));
});
