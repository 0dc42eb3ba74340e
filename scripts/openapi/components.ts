import type { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

// Parameters and responses of one form stand in the document once, as components: 200 kB of it were their copies.

type Kind = 'parameters' | 'responses';
type Named = { name: string; of: unknown };

/** Every parameter and response of every operation, each replaced by what `change` makes of it. */
function changeEach(
  document: OpenApiDocument,
  change: (kind: Kind, each: Named) => unknown,
): OpenApiDocument {
  const paths = Object.entries(document.paths ?? {}).map(([path, { get, ...item }]) => {
    const parameters = get?.parameters?.map((of) =>
      change('parameters', { name: 'name' in of ? `${of.in}_${of.name}` : '', of }),
    );
    const responses = Object.entries(get?.responses ?? {}).map(([status, of]) => [
      status,
      change('responses', { name: `status_${status}`, of }),
    ]);
    const changed = {
      ...get,
      ...(parameters && { parameters }),
      responses: Object.fromEntries(responses) as unknown,
    };
    return [path, { ...item, get: changed }];
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenApiDocument['paths'] };
}

/** The same document, in which the most frequent form of each parameter and response stands in the components. */
export function withComponents(document: OpenApiDocument): OpenApiDocument {
  const forms = new Map<string, { kind: Kind; name: string; of: unknown; uses: number }>();
  changeEach(document, (kind, { name, of }) => {
    const form = JSON.stringify([kind, name, of]);
    const { uses } = forms.get(form) ?? { uses: 0 };
    forms.set(form, { kind, name, of, uses: uses + 1 });
    return of;
  });
  const chosen: Record<Kind, Record<string, unknown>> = { parameters: {}, responses: {} };
  const frequent = [...forms.values()].filter(({ uses }) => uses > 1).sort((a, b) => b.uses - a.uses);
  for (const { kind, name, of } of frequent) chosen[kind][name] ??= of;
  const shared = changeEach(document, (kind, { name, of }) =>
    JSON.stringify(chosen[kind][name]) === JSON.stringify(of) ? { $ref: `#/components/${kind}/${name}` } : of,
  );
  return { ...shared, components: { ...document.components, ...chosen } } as OpenApiDocument;
}

/** The same document without these components, each in its places again. */
export function withoutComponents(document: OpenApiDocument): OpenApiDocument {
  const { parameters, responses, ...components } = document.components ?? {};
  const shared = { parameters, responses } as Record<Kind, Record<string, unknown> | undefined>;
  const inlined = changeEach(document, (kind, { of }) => {
    const { $ref } = of as { $ref?: string };
    return $ref === undefined ? of : shared[kind]?.[$ref.split('/').at(-1) ?? ''];
  });
  return { ...inlined, components };
}
