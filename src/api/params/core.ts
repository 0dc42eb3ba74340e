import type { Window } from '../../statistics/time/window.js';
import type { AsOf } from '../../stations/versions.js';
import type { Unit } from '../../variables/units.js';
import type { Params } from '../groups.js';

/** The fields of any request that the service itself reads. No group of another meaning has these names. */
export interface CoreParams<Format = unknown> extends Params {
  readonly window?: Window;
  readonly asOf?: AsOf | undefined;
  /** Unix ms. */
  readonly knownAt?: number | undefined;
  readonly unit?: Unit;
  readonly format: Format;
}
