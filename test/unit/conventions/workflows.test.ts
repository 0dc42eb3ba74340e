import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { VERSION } from '../../../src/lib/version.js';

// `make workflow-lint` has actionlint read the workflows; here are the conventions of this project.

interface Job {
  uses?: string;
  'timeout-minutes'?: number;
  environment?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node?: string[] } };
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';
const TEXTS = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]));
const JOBS = [...TEXTS].flatMap(([file, text]) =>
  Object.entries((parse(text) as Workflow).jobs).map(([name, job]) => ({ file, name, job })),
);
const STEPS = JOBS.flatMap(({ file, name, job }) =>
  (job.steps ?? []).map((step) => ({ name: `${file}: ${name}`, step })),
);

describe('the workflows', () => {
  it('given them, then they are of changes, of each week, and of releases', () => {
    expect([...TEXTS.keys()]).to.have.members(['ci.yml', 'weekly.yml', 'release.yml']);
  });

  it('given an action of others, then it is pinned by a commit, beside its version', () => {
    const uses = [...TEXTS.values()].flatMap((text) => [...text.matchAll(/uses: (?!\.\/)(.+)$/gm)]);
    expect(uses).to.have.length.above(10);
    for (const [, action] of uses) expect(action).to.match(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const pins = new Map<string, Set<string>>();
    for (const [, action = ''] of uses) {
      const [name = '', commit = ''] = action.split('@');
      pins.set(name, (pins.get(name) ?? new Set()).add(commit));
    }
    for (const [name, commits] of pins) expect(commits, name).to.have.property('size', 1);
  });

  it("given a workflow, then it may read the repository and nothing else; a release's job more", () => {
    for (const [file, text] of TEXTS)
      expect((parse(text) as Workflow).permissions, file).to.deep.equal({ contents: 'read' });
    const more = JOBS.filter(({ job }) => Object.values(job.permissions ?? {}).includes('write'));
    expect(new Set(more.map(({ file }) => file))).to.deep.equal(new Set(['release.yml']));
    // Publishing waits for an approval; the notes come after all of that.
    expect(more.filter(({ job }) => job.environment !== 'release').map(({ name }) => name)).to.deep.equal([
      'notes',
    ]);
  });

  it('given a job, then it ends; given a checkout, then it leaves no token behind', () => {
    for (const { file, name, job } of JOBS)
      if (job.uses === undefined) expect(job['timeout-minutes'], `${file}: ${name}`).to.be.within(5, 350);
    const checkouts = STEPS.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
    for (const { name, step } of checkouts)
      expect(step.with, name).to.have.property('persist-credentials', false);
  });

  it('given a step that runs a shell, then no expression is written into it: its text would be code', () => {
    for (const { name, step } of STEPS) expect(step.run ?? '', name).not.to.include('${{');
  });

  it('given the versions of Node, then CI tests those of the Makefile, from the oldest in package.json', () => {
    const [, listed = ''] = /^NODES := (.+)$/m.exec(readFileSync('Makefile', 'utf8')) ?? [];
    const matrix = JOBS.find(({ name }) => name === 'nodes')?.job.strategy?.matrix.node;
    expect(matrix).to.deep.equal(listed.split(' '));
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).to.equal(`>=${matrix?.[0]}`);
    expect(matrix?.at(-1)).to.equal(readFileSync('.nvmrc', 'utf8').trim());
  });

  it('given a version, then its notes are its section of CHANGELOG.md; another is refused', () => {
    const notes = execFileSync('bash', ['.ci/notes', VERSION], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GITHUB_REPOSITORY: 'a/b' },
    });
    expect(notes).not.to.match(/^## /m);
    expect(notes).to.match(/^### /m);
    const links = [...notes.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    expect(links).to.have.length.above(5);
    for (const link of links) expect(link).to.match(/^https:\/\//);
    expect(links).to.include(`https://github.com/a/b/blob/v${VERSION}/docs/clients.md`);
    expect(() => execFileSync('bash', ['.ci/notes', '0.0.1'], { stdio: 'pipe' })).to.throw(
      /no section 0\.0\.1/,
    );
  });
});
