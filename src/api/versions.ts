import { defineGroup } from './groups.js';
import { word } from './parameters.js';

const VERSIONS = ['latest', 'all'] as const;

export type Versions = (typeof VERSIONS)[number];

/** Which of the values of one key, of which each load may bring another. */
export const versions = defineGroup({
  parameters: {
    versions: word(VERSIONS, 'The values that hold, or all that any load brought').default('latest'),
  },
  read:
    ({ versions = 'latest' }) =>
    () =>
      versions,
  identity: (chosen: Versions) => chosen,
});
