import type { RequestScope } from '../api/caller.js';
import { type ApiResponse, type LocalClient, makeUrl } from '../responses/local-client.js';
import { InvalidParamsError, type ParamIssue } from '../api/parameters.js';
import { apiError, type ApiError } from '../api/errors/api-error.js';
import { cleaned, structured, type Structured } from './result.js';
import { stationOfCall } from './station-search.js';
import {
  isError,
  isToolRequest,
  isUnknown,
  type ToolRequest,
  readArguments,
  textOfTools,
  type Tool,
  translated,
  withDates,
  withWordsOfDays,
  type Values,
} from './tool.js';

/** Errors that are in the words of the tool already. */
class UnfitArguments extends InvalidParamsError {}

/** The outcome of a call. */
export interface Called {
  /** As the error codes of the API; undefined where it was answered. */
  issue?: ApiError;
  /** The error, for the log alone. */
  cause?: unknown;
  result: Structured;
}

/**
 * Calls a tool. It asks the API's own requests in this process, and names each of them as a URL.
 * @param scope whose signal aborts when nobody waits for the result any more
 */
export async function call(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  client: LocalClient,
  scope: RequestScope,
): Promise<Called> {
  const urls: string[] = [];
  // The request at hand, for errors that only the data show.
  let asking: ToolRequest = { path: '', query: {} };
  const ask = async (params: ToolRequest): Promise<ApiResponse> => {
    asking = params;
    const { path, query } = params;
    const response = await client.get(path, query, scope);
    urls.push(makeUrl(client.prefix, path, query));
    return response;
  };
  let mode: string | undefined;
  try {
    const now = client.clock();
    const { values: parsed, issues } = readArguments(tool, given);
    mode = getMode(tool, parsed);
    const station = typeof parsed.place === 'string' ? await client.station(parsed.place) : undefined;
    const place = station && stationOfCall(station, now);
    const values = withDates(tool, parsed, place, now);
    const plan = tool.plan(values);
    const own = [...issues, ...plan.filter(isError)];
    const isUndecided = own.some(({ parameter }) => parameter === tool.decides);
    const all = [...own, ...findIssues(plan.filter(isToolRequest), client, mode, isUndecided)];
    if (all.length > 0) throw new UnfitArguments(withWordsOfDays(tool, all));
    const responses: ApiResponse[] = [];
    for (const params of plan.filter(isToolRequest)) responses.push(await ask(params));
    const { file, params, ...response } = await tool.handle(values, responses, ask, place);
    const understood = params && { ...params, ...(place && { station: place }) };
    const link = file === undefined ? {} : { file: client.prefix + file };
    return { result: structured({ ...response, ...link, params: understood }, urls) };
  } catch (error) {
    const issue = apiError(
      error instanceof InvalidParamsError && !(error instanceof UnfitArguments)
        ? new InvalidParamsError(translated(error.issues, asking, mode))
        : error,
    );
    const body: unknown = JSON.parse(textOfTools(JSON.stringify(issue.body)));
    return { issue, cause: error, result: cleaned({ error: body }) as Structured };
  }
}

/** The deciding parameter and its value, such as by=date; undefined where it is missing or wrong. */
function getMode({ decides }: Tool, values: Values): string | undefined {
  const chosen = decides === undefined ? undefined : values[decides];
  return typeof chosen === 'string' ? `${decides}=${chosen}` : undefined;
}

/** The errors that the API finds in the requests of a plan, once each. */
function findIssues(
  plan: readonly ToolRequest[],
  client: LocalClient,
  mode: string | undefined,
  isUndecided: boolean,
): ParamIssue[] {
  const found = new Map<string, ParamIssue>();
  for (const params of plan) {
    const issues = client.issues(params.path, params.query);
    // A parameter unknown to a request may well belong to the one that was meant.
    const sure = isUndecided ? issues.filter((issue) => !isUnknown(issue)) : issues;
    for (const issue of translated(sure, params, mode)) {
      found.set(`${issue.parameter} ${issue.message}`, issue);
    }
  }
  return [...found.values()];
}
