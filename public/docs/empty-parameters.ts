// A request that nobody has changed is the bare URL: the viewer would send defaults, and examples that other data do not have,
// such as a provider or a cursor.

interface Parameter {
  description?: string;
  example?: string | number;
  schema?: { default?: string | number | boolean; example?: string | number };
}

export interface OpenApiDocument {
  paths: Record<string, { get: { parameters?: Parameter[] } }>;
  components: { parameters: Record<string, Parameter> };
}

/** Moves what a viewer would send into the text beside it. */
export function withEmptyParameters(text: string): string {
  const document = JSON.parse(text) as OpenApiDocument;
  const lists = Object.values(document.paths).map(({ get }) => get.parameters ?? []);
  for (const parameter of [...lists, Object.values(document.components.parameters)].flat()) {
    const { default: fallback, example = parameter.example, ...schema } = parameter.schema ?? {};
    const texts = Object.entries({ Default: fallback, Example: example }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: \`${String(value)}\``],
    );
    if (texts.length === 0) continue;
    parameter.description = [parameter.description, ...texts].join('. ');
    parameter.schema = schema;
    delete parameter.example;
  }
  return JSON.stringify(document);
}
