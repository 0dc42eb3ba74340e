import { EngineError } from './clickhouse-http-engine.js';

const LITERAL_OR_COMMENT = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*.*?\*\//gs;

/** Whether a statement may change something. What is no statement at all changes nothing: the engine will say so. */
export function isWrite(sql: string): boolean {
  const plain = sql.replace(LITERAL_OR_COMMENT, ' ').trim();
  return /^(?:INSERT|CREATE|DROP|UNDROP|ALTER|TRUNCATE|RENAME|EXCHANGE|REPLACE|OPTIMIZE|DELETE|UPDATE|ATTACH|DETACH|SYSTEM|KILL|GRANT|REVOKE|SET|USE|BACKUP|RESTORE|MOVE)\b/i.test(
    plain,
  );
}

/** The HTTP interface takes one statement a request. @throws EngineError */
export function refuseSeveral(sql: string): void {
  // What follows the format of an INSERT is data.
  const insert = /^\s*INSERT\b.*?\b(?:FORMAT\s+\w+|VALUES\b)/is.exec(sql)?.[0];
  const plain = (insert ?? sql).replace(LITERAL_OR_COMMENT, ' ');
  if (/;\s*\S/.test(plain)) {
    throw new EngineError(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
}

/** A bound value as the HTTP interface escapes it (tab-separated style), made plain again. */
export function unescaped(value: string): string {
  const plain: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', 0: '\0' };
  return value.replace(/\\(.)/gs, (_, character: string) => plain[character] ?? character);
}
