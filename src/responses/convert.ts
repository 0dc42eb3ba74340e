import type { Endpoint, EndpointParams, EndpointResponse } from '../api/endpoint.js';
import { getUnit, getWriting } from '../api/params/temperature-unit.js';
import { forEachCooperatively, mapCooperatively } from '../lib/yield-to-event-loop.js';

/** A response with its degrees in the unit of the request, and its numbers rounded (api/kinds.ts). */
export async function convertResponse(
  { plan: { convert }, metadataPlan }: Pick<Endpoint, 'plan' | 'metadataPlan'>,
  params: EndpointParams,
  response: EndpointResponse,
): Promise<EndpointResponse> {
  const writing = getWriting(params);
  const metadata = metadataPlan.convert
    ? (metadataPlan.convert(response.metadata, getUnit(params)) as EndpointResponse['metadata'])
    : response.metadata;
  const converted = { ...response, ...(metadata && { metadata }) };
  if (convert === undefined) return converted;
  const inUnit = <Part extends object>(part: Part): Part => convert(part, writing) as Part;
  const { data } = response;
  const isList = Array.isArray(data);
  return {
    ...converted,
    data: await (isList ? mapCooperatively(data, inUnit) : convertInSlices(data, inUnit)),
  };
}

/** Converts a record field by field, and a list member by member: one may have 50,000. */
async function convertInSlices(
  record: object,
  convert: (part: object) => object,
): Promise<Record<string, unknown>> {
  const parts = Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    Array.isArray(value) && value.length > 0
      ? value.map((member: unknown) => ({ [name]: [member] }))
      : [{ [name]: value }],
  );
  const converted: Record<string, unknown> = {};
  await forEachCooperatively(parts, (part) => {
    for (const [name, value] of Object.entries(convert(part)) as [string, unknown][]) {
      const before = converted[name];
      if (Array.isArray(before)) before.push(...(value as unknown[]));
      else converted[name] = value;
    }
  });
  return converted;
}
