import type { Source } from '../source.js';
import { iemCli } from './iem-cli.js';
import { iemNbm } from './iem-nbm.js';

/** All sources, in the order in which a pass asks them. */
export const SOURCES: readonly Source[] = [iemNbm, iemCli];
