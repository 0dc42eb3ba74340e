import type { Field, Model, ObjectType, Operation, Type } from './model.js';

/** Python's words that the document has as names of fields. */
const RESERVED = new Set([
  'from',
  'class',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'for',
  'global',
  'lambda',
  'pass',
]);

const literal = (value: string | boolean | null): string =>
  typeof value === 'string' ? JSON.stringify(value) : value === null ? 'None' : value ? 'True' : 'False';

function written(type: Type): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'file':
      return 'HTTPResponse';
    case 'literal':
      return `Literal[${literal(type.value)}]`;
    case 'named':
      return type.name;
    case 'list':
      return `List[${written(type.of)}]`;
    case 'record':
      return `Dict[str, ${written(type.of)}]`;
    case 'union': {
      const words = type.of.flatMap((each) => (each.kind === 'literal' ? [literal(each.value)] : []));
      const others = type.of.filter(({ kind }) => kind !== 'literal').map(written);
      const choices = [...(words.length > 0 ? [`Literal[${words.join(', ')}]`] : []), ...others];
      return choices.length === 1 ? choices.join() : `Union[${choices.join(', ')}]`;
    }
  }
}

const getType = ({ type, isRequired }: Field): string =>
  isRequired ? written(type) : `NotRequired[${written(type)}]`;

function object({ name, description, base, fields }: ObjectType): string {
  const isSubclass = base?.lacks.length === 0;
  if (fields.some((field) => RESERVED.has(field.name))) {
    const members = fields.map((field) => `        "${field.name}": ${JSON.stringify(getType(field))},\n`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${members.join('')}    },\n)`;
  }
  const lines = [
    ...(description === undefined ? [] : [`"""${description}"""`]),
    ...(isSubclass ? base.own : fields).map((field) => `${field.name}: ${getType(field)}`),
  ];
  return `class ${name}(${isSubclass ? base.name : 'TypedDict'}):\n${(lines.length > 0 ? lines : ['pass']).map((line) => `    ${line}`).join('\n')}`;
}

const method = ({ name, path, summary, parameters, response }: Operation): string => `
    def ${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(self${
      parameters === null ? '' : `, **parameters: Unpack[${parameters}]`
    }) -> ${written(response)}:
        """${summary}"""
        return self.${response.kind === 'file' ? '_file' : '_json'}("${path}", ${parameters === null ? '{}' : 'parameters'})`;

/** The types and operations in Python. */
export function writePython({ aliases, objects, operations, statistics }: Model): string {
  return `# Written by npm run clients from the OpenAPI document; a change belongs there. What fields mean: /docs of a server.
from __future__ import annotations

from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, TypedDict, Union

if TYPE_CHECKING:
    # Checkers of types bring this module; a program does not need it.
    from typing_extensions import NotRequired, Unpack

class Statistic(TypedDict):
    orientation: Literal["lower_is_better", "higher_is_better", "zero_is_best", "one_is_best"]
    perfect_score: Union[float, None]


${objects.map(object).join('\n\n\n')}


${aliases.map(({ name, type }) => `${name} = ${written(type)}`).join('\n')}

# Which values of a statistic are better, and which is perfect (None: no value is), by the name of its field.
STATISTICS: Dict[str, Statistic] = {
${[...statistics].map(([name, { orientation, perfectScore }]) => `    "${name}": {"orientation": "${orientation}", "perfect_score": ${perfectScore ?? 'None'}},`).join('\n')}
}


class Operations:
    """A method for each operation of the document."""

    def _json(self, path: str, parameters: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def _file(self, path: str, parameters: Mapping[str, Any]) -> HTTPResponse:
        raise NotImplementedError
${operations.map(method).join('\n')}
`;
}
