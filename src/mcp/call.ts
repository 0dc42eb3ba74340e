import type { RequestScope } from '../api/caller.js';
import { type ApiAnswer, type LocalClient, urlOf } from '../responses/local-client.js';
import { InvalidParameters, type ParameterFault } from '../api/parameters.js';
import { apiError, type ApiError } from '../api/errors/errors.js';
import { cleaned, structured, type Structured } from './result.js';
import { stationOfCall } from './stations.js';
import {
  isFault,
  isQuestion,
  isUnknown,
  type ToolQuestion,
  readArguments,
  textOfTools,
  type Tool,
  translated,
  withDates,
  type Values,
} from './tool.js';

/** Faults that are in the words of the tool already. */
class UnfitArguments extends InvalidParameters {}

/** The outcome of a call. */
export interface Called {
  /** As the error codes of the API; undefined where it was answered. */
  fault?: ApiError;
  /** The error, for the log alone. */
  cause?: unknown;
  result: Structured;
}

/**
 * Calls a tool. It asks the API's own questions in this process, and names each of them as a URL.
 * @param scope whose signal aborts when nobody waits for the result any more
 */
export async function call(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  client: LocalClient,
  scope: RequestScope,
): Promise<Called> {
  const urls: string[] = [];
  // The question at hand, for faults that only the data show.
  let asking: ToolQuestion = { path: '', query: {} };
  const ask = async (question: ToolQuestion): Promise<ApiAnswer> => {
    asking = question;
    const { path, query } = question;
    const answer = await client.get(path, query, scope);
    urls.push(urlOf(client.prefix, path, query));
    return answer;
  };
  let mode: string | undefined;
  try {
    const now = client.clock();
    const { values: said, faults } = readArguments(tool, given);
    mode = modeOf(tool, said);
    const station = typeof said.place === 'string' ? await client.station(said.place) : undefined;
    const place = station && stationOfCall(station, now);
    const values = withDates(tool, said, place, now);
    const plan = tool.plan(values);
    const own = [...faults, ...plan.filter(isFault)];
    const isUndecided = own.some(({ parameter }) => parameter === tool.decides);
    const all = [...own, ...faultsOf(plan.filter(isQuestion), client, mode, isUndecided)];
    if (all.length > 0) throw new UnfitArguments(all);
    const answers: ApiAnswer[] = [];
    for (const question of plan.filter(isQuestion)) answers.push(await ask(question));
    const { file, question, ...answer } = await tool.answer(values, answers, ask, place);
    const understood = question && { ...question, ...(place && { station: place }) };
    const link = file === undefined ? {} : { file: client.prefix + file };
    return { result: structured({ ...answer, ...link, question: understood }, urls) };
  } catch (error) {
    const fault = apiError(
      error instanceof InvalidParameters && !(error instanceof UnfitArguments)
        ? new InvalidParameters(translated(error.faults, asking, mode))
        : error,
    );
    const body: unknown = JSON.parse(textOfTools(JSON.stringify(fault.body)));
    return { fault, cause: error, result: cleaned({ error: body }) as Structured };
  }
}

/** The deciding parameter and its value, such as by=date; undefined where it is missing or at fault. */
function modeOf({ decides }: Tool, values: Values): string | undefined {
  const chosen = decides === undefined ? undefined : values[decides];
  return typeof chosen === 'string' ? `${decides}=${chosen}` : undefined;
}

/** The faults that the API finds in the questions of a plan, once each. */
function faultsOf(
  plan: readonly ToolQuestion[],
  client: LocalClient,
  mode: string | undefined,
  isUndecided: boolean,
): ParameterFault[] {
  const found = new Map<string, ParameterFault>();
  for (const question of plan) {
    const faults = client.faults(question.path, question.query);
    // A parameter unknown to a question may well belong to the one that was meant.
    const sure = isUndecided ? faults.filter((fault) => !isUnknown(fault)) : faults;
    for (const fault of translated(sure, question, mode)) {
      found.set(`${fault.parameter} ${fault.message}`, fault);
    }
  }
  return [...found.values()];
}
