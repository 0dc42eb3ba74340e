import { join } from 'node:path';
import { expect } from 'chai';
import type { FeedFiles } from '../../../src/ingest/stage/stage.js';
import { writeFeeds } from '../ingest/feeds.js';
import type { ServerProgram } from '../process.js';
import type { Random } from '../random.js';
import { temporaryFolder } from '../store.js';
import { type Cover, feedsOf, pairsOf } from './feeds.js';
import {
  answersOf,
  type Bed,
  copyFolder,
  expectNoDifference,
  loadAll,
  newBed,
  onFolder,
  questionsOf,
  startServer,
  stop,
} from './programs.js';

/** A load that nothing disturbed: how long it takes, and what is answered after it, for loads that are disturbed. */
export class Undisturbed {
  private constructor(
    readonly files: FeedFiles,
    readonly durationMs: number,
    readonly questions: readonly string[],
    private readonly answers: readonly unknown[],
    private readonly bed: Bed,
    /** The folder that it went into, if that had data. */
    private readonly before: string | undefined,
  ) {}

  /** Goes through a load of one cover over another, or into an empty folder. */
  static async load(loaded: Cover, random: Random, older?: Cover): Promise<Undisturbed> {
    const bed = await newBed();
    const before = older && join(temporaryFolder(), 'old');
    if (older && before !== undefined)
      await loadAll(onFolder(bed, before), writeFeeds(feedsOf(older, random)));
    const covers = older ? [loaded, older] : [loaded];
    const days = covers.flatMap((cover) => cover.days);
    const questions = questionsOf(Math.min(...days), Math.max(...days));
    const files = writeFeeds(feedsOf(loaded, random));

    const on = folderLike(bed, before);
    const started = performance.now();
    await loadAll(on, files);
    const durationMs = performance.now() - started;
    const server = await startServer(on);
    const answers = await answersOf(server, on, questions);
    await stop(server);
    expect(answers[0], 'an undisturbed load').to.include({ verification_pairs: pairsOf(...covers) });
    return new Undisturbed(files, durationMs, questions, answers, bed, before);
  }

  /** Another folder as it was before the load. */
  folder(): Bed {
    return folderLike(this.bed, this.before);
  }

  /** Expects that a folder has what this load left in its own: by every question, and by `verify`. */
  async expectOn(on: Bed, server: ServerProgram): Promise<void> {
    await expectNoDifference(on);
    expect(await answersOf(server, on, this.questions)).to.deep.equal(this.answers);
  }
}

function folderLike(bed: Bed, before: string | undefined): Bed {
  const folder = join(temporaryFolder(), 'data');
  if (before !== undefined) copyFolder(before, folder);
  return onFolder(bed, folder);
}
