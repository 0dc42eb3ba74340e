import { sql, type Statement } from './sql.js';

/** Rows that a SELECT reads: a table, or a SELECT in brackets, and the conditions that choose them. */
export interface Relation {
  readonly from: Statement;
  readonly where: readonly Statement[];
}

/** At least one condition, as one. */
const allOf = (conditions: readonly Statement[]): Statement =>
  conditions.reduce((all, next) => sql`${all} AND ${next}`);

/** FROM and WHERE of a SELECT. @param more further conditions */
export function fromWhere({ from, where }: Relation, ...more: readonly Statement[]): Statement {
  const conditions = [...where, ...more];
  if (conditions.length === 0) return sql`FROM ${from}`;
  return sql`FROM ${from}
    WHERE ${allOf(conditions)}`;
}
