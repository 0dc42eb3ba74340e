import type { Field, Model, ObjectType, Operation, Type } from './model.js';

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;

function written(type: Type): string {
  switch (type.kind) {
    case 'integer':
      return 'number';
    case 'file':
      return 'Response';
    case 'literal':
      return JSON.stringify(type.value);
    case 'named':
      return type.name;
    case 'list':
      return type.of.kind === 'union' ? `(${written(type.of)})[]` : `${written(type.of)}[]`;
    case 'record':
      return `Record<string, ${written(type.of)}>`;
    case 'union':
      return type.of.map(written).join(' | ');
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type.kind;
  }
}

// `| undefined`: under exactOptionalPropertyTypes, too, a caller may pass on what is not given.
const field = ({ name, type, isRequired, description }: Field, isParameter: boolean): string =>
  `${comment(description)}${name}${isRequired ? '' : '?'}: ${written(type)}${isParameter && !isRequired ? ' | undefined' : ''};`;

function object({ name, description, base, fields }: ObjectType): string {
  const lacks = base?.lacks.map((each) => `'${each}'`).join(' | ');
  const from = lacks === '' ? base?.name : `Omit<${base?.name}, ${lacks}>`;
  return `
${comment(description)}export interface ${name}${base === undefined ? '' : ` extends ${from}`} {
${(base?.own ?? fields).map((each) => field(each, name.endsWith('Parameters'))).join('\n')}
}`;
}

const method = ({ name, summary, parameters, needsParameters, response }: Operation): string =>
  `${comment(summary)}${name}: (${
    parameters === null
      ? 'parameters?: Record<string, never>'
      : `parameters${needsParameters ? '' : '?'}: ${parameters}`
  }, call?: Call) => Promise<${written(response)}>;`;

/** The types and operations in TypeScript, not yet formatted. */
export function writeTypescript({ aliases, objects, operations, statistics }: Model): string {
  return `// Written by npm run clients from the OpenAPI document; a change belongs there.
${aliases.map(({ name, description, type }) => `\n${comment(description)}export type ${name} = ${written(type)};`).join('\n')}
${objects.map(object).join('\n')}

/** A method for each operation of the document. */
export interface Operations<Call> {
${operations.map(method).join('\n')}
}

export const OPERATIONS = {
${operations.map(({ name, path, response }) => `${name}: { path: '${path}', isFile: ${response.kind === 'file'} },`).join('\n')}
} as const satisfies Record<keyof Operations<unknown>, { path: string; isFile: boolean }>;

/** Which values of a statistic are better, and which is perfect, by the name of its field. */
export const STATISTICS = {
${[...statistics].map(([name, each]) => `${name}: ${JSON.stringify(each)},`).join('\n')}
} as const;
`;
}
