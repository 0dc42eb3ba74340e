interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
}

/** The parts of an OpenAPI document that are read here. */
export interface Described {
  info: { title: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, { get: Operation }>;
  components: { parameters: Record<string, Parameter> };
}

/** Parameters that every response takes, and one that says less than `units`. */
const UNLISTED = ['format', 'bom', 'temp_unit'];

/**
 * The service as one short text for programs that read a site (https://llmstxt.org), made from the OpenAPI document.
 * @param base the path under which clients know the service; blank at the root
 */
export function llmsText({ info, tags, paths, components }: Described, base: string): string {
  const found = (each: Parameter | { $ref: string }): Parameter | undefined =>
    '$ref' in each ? components.parameters[each.$ref.split('/').at(-1) ?? ''] : each;
  const operations = Object.entries(paths).map(([path, item]) => ({ path, ...item.get }));
  const sections = tags.map(({ name, description }) => {
    const lines = operations
      .filter((operation) => operation.tags?.includes(name))
      .map(({ path, summary = '', description = '', parameters = [] }) => {
        const names = parameters.flatMap((each) => {
          const parameter = found(each);
          return parameter?.in === 'query' && !UNLISTED.includes(parameter.name) ? [parameter.name] : [];
        });
        const requested = names.length === 0 ? '' : ` Parameters: ${names.join(', ')}.`;
        return `- [${summary}](${base}${path}): ${firstSentence(description)}${requested}`;
      });
    return `## ${name}\n\n${description}.\n\n${lines.join('\n')}`;
  });
  return `# ${info.title}

> How accurate temperature forecasts were, against observed daily highs and lows: per station, city, date and lead time; and how likely a temperature is, given a forecast.

- Every URL below is a GET that answers with JSON, or with \`format=csv\` as CSV. Send \`Authorization: Bearer <API_KEY>\`, unless the server reads publicly. All parameters have defaults; \`{station_id}\` is an id, an IATA code or a city.
- An error is forecast minus actual, so a negative mean_error means that forecasts were too cold. Units are °F, kt and inches, or those of \`units=us\`, \`metric\` or \`si\`.
- A wrong parameter gets a 400 that names the parameter and the way out.
- [OpenAPI document](${base}/openapi.json): every parameter and field. [The same for people](${base}/docs). Assistants that call tools find them at ${base}/mcp (Model Context Protocol).

${sections.join('\n\n')}
`;
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
