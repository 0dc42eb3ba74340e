import type { PublicSource } from '../source.js';
import { iemAsos } from './iem-asos.js';
import { iemCli } from './iem-cli.js';
import { iemDaily } from './iem-daily.js';
import { iemNbm } from './iem-nbm.js';
import { iemPfm } from './iem-pfm.js';
import { noaaNbp } from './noaa-nbp.js';
import { OPEN_METEO } from './openmeteo.js';

/** All sources, in the order in which a pass asks them. */
export const SOURCES: readonly PublicSource[] = [
  iemNbm,
  iemPfm,
  iemCli,
  iemDaily,
  iemAsos,
  ...OPEN_METEO,
  noaaNbp,
];
