import type { IRouter } from 'express';
import { z } from 'zod';
import { ApiError } from '../api/errors/errors.js';
import { defineGroup, oneParameter, parametersOf, readRequest } from '../api/groups.js';
import { InvalidParameters, listedNames, listText } from '../api/parameters.js';
import { stationsTogether } from '../api/questions/stations.js';
import { callerOf, requestText } from '../http/exchange.js';
import type { DirectoryReader } from '../stations/directory.js';
import { readAsOf, UnknownVersion } from '../stations/versions.js';
import type { Version } from '../store/data-version.js';
import { EventFeed, type FeedDependencies, type StreamPlace } from './feed.js';
import { type EventKind, EVENT_KINDS, type ServerEvent } from './records.js';

const PLACE = /^v(0|[1-9]\d{0,8})(?:\.([a-z0-9]{4}))?(?:-(\d{1,6}))?$/;

const place = z
  .string()
  .regex(
    PLACE,
    'must be a version such as v412 or v412.k7q2, the id of an event, or v0 for all that there are',
  );

const groups = {
  since: oneParameter(
    'since',
    place.optional().meta({
      description:
        'First the events after this version, or after the event with this id; v0: all. Default: only what comes from now ' +
        'on. The header Last-Event-ID counts instead, if the request has it',
      example: 'v412.k7q2',
    }),
  ),
  kinds: oneParameter(
    'kind',
    listText()
      .refine(
        (text) => listedNames(text).every((each) => EVENT_KINDS.some((kind) => kind === each)),
        `must be one or several of ${EVENT_KINDS.join(', ')}, with commas between them`,
      )
      .transform((text) => new Set(listedNames(text) as EventKind[]))
      .optional()
      .meta({
        type: 'string',
        description: `Only these kinds, separated by commas: ${EVENT_KINDS.join(', ')}`,
      }),
  ),
  station: stationsTogether,
  provider: defineGroup({
    parameters: {
      provider: z.string().optional().meta({
        description: 'Only events about this provider, and those that name no provider; default: about all',
      }),
    },
    read:
      ({ provider }) =>
      ({ providers }) =>
        provider === undefined ? undefined : providers.find(provider).name,
    identity: (name: string | undefined) => name,
  }),
};

/** GET /api/v1/events, as the document, the index and the clients describe it. An addition to the interface. */
export const EVENTS = {
  path: '/events',
  operationId: 'streamEvents',
  summary: 'Events as they happen',
  description:
    'A stream of server-sent events. `version`: new data show, at most a second after their load has finished. `alarm` and ' +
    '`clear`: a load has raised or ended an alarm. `source`: a public source has fallen silent, or is back. Each `data` is a ' +
    'JSON object. To go on after a break, send the last `id` as the header Last-Event-ID or as `since`: each event comes ' +
    'once, whatever has restarted. A comment comes every 15 seconds.',
  parameters: parametersOf(groups),
  example: {
    id: 'v412.k7q2',
    event: 'version',
    data: {
      ...{ version: 412, lineage: 'k7q2', finished_at: '2026-09-30T13:05:00.000Z', outcome: 'complete' },
      ...{ providers: ['nimbus'], station_days: [{ provider: 'nimbus', station_days: 48 }] },
    },
  } satisfies ServerEvent,
};

export interface EventsDependencies extends FeedDependencies {
  store: FeedDependencies['store'];
  directory: Pick<DirectoryReader, 'at'>;
  clock: () => Date;
  /** Whether the key of a request still holds; always of one without a key. */
  stillAdmits: (authorization: string | undefined) => boolean;
}

/** Adds the route, below a prefix. @returns the feed, which is to be closed before the listener is */
export function mountEvents(router: IRouter, prefix: string, dependencies: EventsDependencies): EventFeed {
  const { store, dataVersion, directory, clock, stillAdmits } = dependencies;
  const feed = new EventFeed(dependencies);
  router.get(prefix + EVENTS.path, async (request, response) => {
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET');
      throw new ApiError(
        'METHOD_NOT_ALLOWED',
        `${request.method} is not allowed; a stream of events takes only GET`,
      );
    }
    const { authorization, 'last-event-id': last } = request.headers;
    const parameters = readRequest(groups, requestText(request, clock()));
    const version = await dataVersion.current();
    const { since, kinds, provider, station } = parameters.resolve(await directory.at(version));
    const stations = station && [station].flat().map(({ station_id }) => station_id);
    const begin =
      last === undefined || last === ''
        ? { name: 'since', text: since }
        : { name: 'Last-Event-ID', text: String(last) };
    await feed.open(
      {
        response,
        caller: callerOf(response),
        wishes: { kinds, provider, stations },
        isAdmitted: () => response.locals.isPublic === true || stillAdmits(authorization),
      },
      begin.text === undefined ? undefined : await placeOf(store, version, { ...begin, text: begin.text }),
    );
  });
  return feed;
}

/** The place that a text names. @throws InvalidParameters where no load of this number has finished in this lineage */
async function placeOf(
  store: FeedDependencies['store'],
  { lineage: own, finishedLoad }: Version,
  { name: parameter, text }: { name: string; text: string },
): Promise<StreamPlace> {
  const { success, error } = place.safeParse(text);
  if (!success)
    throw new InvalidParameters([{ parameter, message: error.issues[0]?.message ?? 'is invalid' }]);
  const [, version = '', lineage, skip] = PLACE.exec(text) ?? [];
  const found: StreamPlace = {
    version: Number(version),
    skip: skip === undefined ? undefined : Number(skip),
  };
  const isPresent = found.version === finishedLoad && (lineage ?? own) === own;
  // The version before the first is in no list of loads.
  if (isPresent || (found.version === 0 && lineage === undefined)) return found;
  try {
    await readAsOf(store, { requested: text, load_id: found.version, lineage }, own);
    return found;
  } catch (error) {
    if (error instanceof UnknownVersion) throw new InvalidParameters([{ parameter, message: error.message }]);
    throw error;
  }
}
