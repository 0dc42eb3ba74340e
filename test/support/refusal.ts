type Kind = new (...given: never[]) => Error;

/** The message of an error, if it is of a kind. @throws any other error */
function messageOf(kind: Kind, error: unknown): string {
  if (error instanceof kind) return error.message;
  throw error;
}

/** The message of the error of a kind in which work ends; nothing where it ends well. */
export function refusalOf(kind: Kind, work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return messageOf(kind, error);
  }
}

/** The same of work that takes its time. */
export const laterRefusalOf = (kind: Kind, work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => messageOf(kind, error),
  );
