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
  [
    'remarks behind a forecast',
    'RJXX 151750Z FEW020 04/M01 Q1021 NOSIG RMK 1CU020 SLP128 P0003',
    '4 -/- 0.03 FEW',
  ],
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
    '23.9 -/- 0 CLR',
  ],

  [
    'degrees that contradict each other',
    `${US} CLR 24/10 RMK AO2 T01390100`,
    'unusable: 24 °C in its body and 13.9 °C in its remarks',
  ],
  ['a warmth that is nowhere', `${US} CLR 61/10 A3000`, 'unusable: 61 °C is not plausible at an airport'],
  ['a cold that is nowhere', `${US} CLR M96/M99 A3000`, 'unusable: -96 °C is not plausible at an airport'],
];

const ROUTINE = 'RMK AO2 SLP128';

/** Amounts of an hour and of 6 hours, inches: - where a report says none. The times are those of their reports. */
const AMOUNTS: readonly (readonly [what: string, time: string, rest: string, said: string])[] = [
  ['precipitation in hundredths of an inch', '1753', `${ROUTINE} P0103 60110`, '1.03 1.1'],
  ['traces as 0', '1153', `${ROUTINE} P0000 60000`, '0 0'],
  ['0 where nothing fell', '1753', ROUTINE, '0 0'],
  ['0 where nothing fell at an augmented station', '1753', 'RMK A02A SLP128', '0 0'],
  ['no amount where silence says nothing', '1753', 'RMK SLP128', '- -'],
  ['no silence of a station without a gauge', '1753', 'RMK AO1 SLP128', '- -'],
  ['an amount all the same', '1753', 'RMK AO1 SLP128 P0002 60012', '0.02 0.12'],
  ['no silence of a gauge that is broken', '1753', `${ROUTINE} PNO`, '- -'],
  ['no silence while it rains', '1753', `-RA ${ROUTINE}`, '- -'],
  ['no silence where freezing drizzle falls', '1753', `FZDZ ${ROUTINE}`, '- -'],
  ['no silence where snow came and went', '1753', 'RMK AO2 SNB02E15 SLP128', '- -'],
  ['silence where it rains elsewhere', '1753', 'VCSH BLSN RMK AO2 SLP128 VCSH S', '0 0'],
  ['no 6 dry hours with a wet one', '1753', `${ROUTINE} P0001`, '0.01 -'],
  ['no 6 hours that cannot be told', '1753', `${ROUTINE} 6////`, '0 -'],
  ['no hour that cannot be told', '1753', `${ROUTINE} P//// 60001`, '- 0.01'],
  ['no 6 hours of which 3 are told', '2053', `${ROUTINE} P0000 60001`, '0 -'],
  ['no 24 hours', '1153', `${ROUTINE} 70071`, '0 0'],
  ['no hour of a special', '1753', 'RMK AO2 P0004', '- -'],
  ['no hour of a report within it', '1731', `${ROUTINE} P0004`, '- -'],
  ['nothing that two groups contradict', '1753', `${ROUTINE} P0004 P0005 60010 60011`, '- -'],
  ['no more in an hour than ever fell', '1753', `${ROUTINE} P2000 62000`, '- -'],
  ['nothing of the body', '1753', `P0003 60001 ${ROUTINE}`, '0 0'],
];

describe('the report of an airport', () => {
  for (const [what, text, expected] of FORMS) it(`says ${what}`, () => expect(said(text)).to.equal(expected));

  for (const [what, time, rest, expected] of AMOUNTS)
    it(`has ${what}`, () => {
      const [body = '', remarks = ''] = rest.split('RMK');
      const { precip_in, precip_6h_in } = readMetar(`KXYZ 15${time}Z ${body}24/10 A3000 RMK${remarks}`) ?? {};
      expect(`${precip_in || '-'} ${precip_6h_in || '-'}`).to.equal(expected);
    });

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
