import { listedNames, InvalidParamsError, listText, parseBy } from '../api/parameters.js';
import { z } from 'zod';
import type { Provider } from '../stations/provider-choice.js';
import { defineGroup } from '../api/groups.js';
import { type LeadTimes, leadTimesFrom } from '../api/params/common.js';

// The groups of a request that compares providers.

/** Providers that a request compares. */
export interface ComparedProviders extends Provider {
  /** The reference first, then the others in the order of the request. */
  names: readonly string[];
}

const MAX_PROVIDERS = 8;

/** Two or more providers, and the one among them that the others are compared with. */
export const comparedProviders = defineGroup({
  parameters: {
    providers: z
      .string()
      .transform(
        parseBy(readNames, `must be 2 to ${MAX_PROVIDERS} different providers, with commas between them`),
      )
      .optional()
      .meta({
        type: 'string',
        description:
          `2 to ${MAX_PROVIDERS} providers, separated by commas; default: all of /api/v1/providers, the default ` +
          'provider first',
        example: 'default,other',
      }),
    reference: z
      .string()
      .optional()
      .meta({ description: 'The provider that the others are compared with; default: the first one' }),
  },
  read:
    ({ providers, reference }) =>
    ({ directory }): ComparedProviders => {
      const all = directory.providers.all;
      const found = providers?.map((name) => directory.providers.find(name)) ?? byDefault(all);
      if (found.length > MAX_PROVIDERS) {
        const message = `must name 2 to ${MAX_PROVIDERS} of the ${found.length} providers`;
        throw new InvalidParamsError([{ parameter: 'providers', message }]);
      }
      const first = reference === undefined ? found[0] : directory.providers.find(reference);
      if (first === undefined || !found.includes(first)) {
        const message = `must be one of the providers compared: ${found.map(({ name }) => name).join(', ')}`;
        throw new InvalidParamsError([{ parameter: 'reference', message }]);
      }
      const names = [first, ...found.filter((each) => each !== first)].map(({ name }) => name);
      return { name: names.join(','), isDefault: false, names };
    },
  cacheKey: ({ names }: ComparedProviders) => names,
});

function readNames(text: string): string[] | undefined {
  const names = listedNames(text);
  return names.length >= 2 && names.length <= MAX_PROVIDERS && !names.includes('') ? names : undefined;
}

const byDefault = (all: readonly Provider[]): Provider[] => [
  ...all.filter(({ isDefault }) => isDefault),
  ...all.filter(({ isDefault }) => !isDefault),
];

const LEAD_OF_COMPARISON = '24';

/**
 * The lead times for providers that are compared: at one lead, or in each lead time; and the groups of the response's records.
 * @param groups that a request may name, one or two of them @param fallback the usual one
 */
export function leadTimesBy<Group extends string>(
  groups: readonly Group[],
  fallback: Group | 'none',
  details: string,
) {
  const readGroups = (text: string): Group[] | undefined => {
    const named = text === 'none' ? [] : text.split(',');
    const found = [...new Set(named)].flatMap((name) => groups.filter((group) => group === name));
    return found.length === named.length && found.length <= 2 ? found : undefined;
  };
  return defineGroup({
    parameters: {
      ...leadTimesFrom.parameters,
      lead: leadTimesFrom.parameters.lead.meta({
        description:
          'Only forecasts issued at least this many hours before the start of the target date; without it and ' +
          `lead_time_bucket: ${LEAD_OF_COMPARISON}, or with a lead time in group_by all`,
      }),
      group_by: listText()
        .transform(
          parseBy(
            readGroups,
            `must be none, or one or two of ${groups.join(', ')}, with a comma between them`,
          ),
        )
        .prefault(fallback)
        .meta({
          type: 'string',
          default: fallback,
          description: `A record for each of one or two of ${groups.join(', ')}, separated by a comma: ${details}`,
          example: 'lead_time_bucket,month',
        }),
    },
    read({ lead, lead_time_bucket, group_by }, context) {
      const isPlain =
        !group_by.some((group) => group === 'lead_time_bucket' || group === 'lead_hour') &&
        lead_time_bucket === undefined;
      return leadTimesFrom.read(
        { lead_time_bucket, lead: lead ?? (isPlain ? LEAD_OF_COMPARISON : undefined) },
        context,
      );
    },
    cacheKey: ({ buckets }: LeadTimes) => buckets,
  });
}
