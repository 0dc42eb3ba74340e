import type { Logger } from 'pino';
import { commandText } from '../lib/user-error.js';
import type { DamagedPart } from '../store/damage.js';

const LOOK_EVERY_MS = 60_000;

/** Looks each minute for parts of tables that the engine could not read and put aside, and logs those that are new. */
export class DamageWatch {
  /** As of the last look. */
  parts: readonly DamagedPart[] = [];

  constructor(
    private readonly read: () => Promise<DamagedPart[]>,
    private readonly logger: Logger,
  ) {}

  /** Looks now, and then until the end of the process: a store that is closed or away tells nothing new. */
  async start(): Promise<this> {
    setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    await this.look();
    return this;
  }

  async look(): Promise<void> {
    const before = this.parts;
    this.parts = await this.read().catch(() => before); // health and metrics report a store that is away
    const parts = this.parts.filter(({ part }) => !before.some((each) => each.part === part));
    if (parts.length === 0) return;
    this.logger.error(
      { parts },
      `DATA_DIR is damaged: parts of tables cannot be read; ${commandText('verify')} lists them`,
    );
  }
}
