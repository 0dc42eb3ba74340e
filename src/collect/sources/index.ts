import type { Source } from '../source.js';

/** All sources, in the order in which a pass asks them. */
export const SOURCES: readonly Source[] = [];
