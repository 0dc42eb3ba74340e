/** A moment by two clocks: one stands still while a machine sleeps, the other may be set. */
export interface Moment {
  monotonic: number;
  wall: number;
}

export const thisMoment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

/** The time since a moment by the clock that is ahead. */
export const msSince = (moment: Moment): number =>
  Math.max(performance.now() - moment.monotonic, Date.now() - moment.wall);
