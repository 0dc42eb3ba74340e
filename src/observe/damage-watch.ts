import type { Logger } from 'pino';
import type { DamagedPart } from '../store/damage.js';

const LOOK_EVERY_MS = 60_000;

/** Looks each minute for parts of tables that the engine could not read and put aside, and logs those that are new. */
export class DamageWatch {
  #parts: readonly DamagedPart[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: () => Promise<DamagedPart[]>,
    private readonly logger: Logger,
  ) {}

  /** As of the last look. */
  get parts(): readonly DamagedPart[] {
    return this.#parts;
  }

  /** Looks now, and then until stop(). */
  async start(): Promise<this> {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    await this.look();
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    const known = new Set(this.#parts.map(({ part }) => part));
    this.#parts = await this.read().catch(() => this.#parts); // health and metrics report a store that is away
    const parts = this.#parts.filter(({ part }) => !known.has(part));
    if (parts.length === 0) return;
    this.logger.error(
      { parts },
      'DATA_DIR is damaged: parts of tables cannot be read; npm run verify tells more',
    );
  }
}
