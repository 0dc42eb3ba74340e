import type { CodeSource } from '../source.js';
import { iemAsos } from './iem-asos.js';
import { iemCli } from './iem-cli.js';
import { iemDaily } from './iem-daily.js';
import { iemNbm } from './iem-nbm.js';
import { iemPfm } from './iem-pfm.js';
import { noaaNbp } from './noaa-nbp.js';

/** The sources that are code, because they read texts; in the order in which a pass asks them. All others are files. */
export const CODE_SOURCES: readonly CodeSource[] = [iemNbm, iemPfm, iemCli, iemDaily, iemAsos, noaaNbp];
