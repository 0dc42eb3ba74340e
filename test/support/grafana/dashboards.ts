import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const GRAFANA = fileURLToPath(new URL('../../../grafana/', import.meta.url));

export interface DataSourceRef {
  type: string;
  uid: string;
}

export interface Target {
  refId: string;
  datasource: DataSourceRef;
  [field: string]: unknown;
}

export interface Override {
  matcher: { id: string; options: string };
  properties: { id: string; value: unknown }[];
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description: string;
  datasource: DataSourceRef;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: Target[];
  fieldConfig: { defaults: { unit?: string; [field: string]: unknown }; overrides: Override[] };
  options: Record<string, unknown>;
  transformations?: { id: string; options: Record<string, unknown> }[];
  timeFrom?: string;
}

export interface Variable {
  name: string;
  type: 'custom' | 'textbox' | 'query' | 'constant';
  datasource?: DataSourceRef;
  query: unknown;
  current: { value?: string };
  options: { value: string }[];
}

export interface Dashboard {
  /** Its path below grafana/dashboards. */
  path: string;
  uid: string;
  title: string;
  timezone: string;
  time: { from: string; to: string };
  templating: { list: Variable[] };
  links: { type: string; url: string }[];
  panels: Panel[];
}

/** Every dashboard of a folder of grafana/, as Grafana reads it. */
export function readDashboards(name = 'dashboards'): Dashboard[] {
  const folder = join(GRAFANA, name);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => ({
      path,
      ...(JSON.parse(readFileSync(join(folder, path), 'utf8')) as Omit<Dashboard, 'path'>),
    }));
}
