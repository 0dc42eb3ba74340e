import type { IRouter } from 'express';
import { z } from 'zod';
import { InvalidParamsError, parseQuery } from '../api/parameters.js';
import { getCaller } from '../http/request-scope.js';
import { clip } from '../lib/text.js';
import { EventFeed, type FeedDependencies, STREAM_HEADERS } from './feed.js';
import type { VersionEvent } from './records.js';

/** GET /api/v1/events, as the document, the index and the clients describe it. An addition to the interface. */
export const EVENTS = {
  path: '/events',
  operationId: 'streamEvents',
  summary: 'New versions of the data, as a stream',
  description:
    'A stream of server-sent events. It begins with the latest finished load, unless Last-Event-ID names it; then an event ' +
    'comes within two seconds after each load. Several loads at once may be one event. No event is sent again: ' +
    '/api/v1/loads?after= lists what happened in between. No id is refused: an unknown one gets the latest version. ' +
    'A comment comes every 15 seconds, and the stream ends after 5 minutes; `retry` says when to open it again.',
  parameters: {
    lastEventId: z.string().optional().meta({
      description:
        'The id of the last event, for clients that cannot send the header Last-Event-ID, which counts first',
    }),
  },
  example: {
    id: 'v412.k7q2',
    event: 'version',
    data: {
      data_version: 412,
      finished_at: '2026-09-30T13:05:00.000Z',
      outcome: 'complete',
      pairs_added: 96,
      pairs_withdrawn: 0,
      alarms: [],
    },
  } satisfies VersionEvent,
};

const NOT_A_PARAMETER =
  'is not a parameter: a stream takes only lastEventId, and has every version; GET /api/v1/loads?after=v412 lists the loads ' +
  'after one with their providers and alarms';

export interface EventsDependencies extends FeedDependencies {
  /** Whether the key of a request is still valid. */
  isValid: (authorization: string | undefined) => boolean;
}

/** Adds the route, below a prefix. @returns the feed, which is to be closed before the listener is */
export function mountEvents(router: IRouter, prefix: string, dependencies: EventsDependencies): EventFeed {
  const feed = new EventFeed(dependencies);
  router.get(prefix + EVENTS.path, async (request, response) => {
    const query = parseQuery(request.url);
    // Some clients add it at each new try to the URL that has one.
    const lastId = request.get('last-event-id') || query.getAll('lastEventId').at(-1);
    query.delete('lastEventId');
    if (query.size > 0) {
      const names = [...new Set(query.keys())].map((name) => clip(name, 60));
      throw new InvalidParamsError(names.map((parameter) => ({ parameter, message: NOT_A_PARAMETER })));
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, STREAM_HEADERS).end();
      return;
    }
    const { authorization } = request.headers;
    const isAdmitted = (): boolean =>
      response.locals.isPublic === true || dependencies.isValid(authorization);
    await feed.open({ response, caller: getCaller(response), lastId, isAdmitted });
  });
  return feed;
}
