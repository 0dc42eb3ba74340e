import { expect } from 'chai';
import { UserError } from '../../src/lib/user-error.js';

/** The error that work ends in. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error : new Error(String(error));
}

/** The one line of a refusal. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await failureOf(work);
  if (!(error instanceof UserError)) throw new Error('it is no refusal', { cause: error });
  expect(error.message).to.match(/^[^\n]+$/);
  return error.message;
}
