import { expect } from 'chai';
import collect from '../../../src/cli/collect.js';
import { failureOf } from '../../support/failure.js';

// No other test of `make test` holds which options the command refuses beside each other; collect/program.test.ts starts it.

describe('npm run collect', () => {
  const CONTACT = ['--contact', 'me@example.org'];
  for (const [what, args, said] of [
    ['no station', CONTACT, 'nothing to collect: give --stations'],
    [
      '--watch and --dry-run',
      [...CONTACT, '--stations', 'KNYC', '--watch', '--dry-run'],
      '--watch: collects',
    ],
    [
      '--watch and --to',
      [...CONTACT, '--stations', 'KNYC', '--watch', '--to', '2026-01-01'],
      '--watch: collects',
    ],
  ] as const)
    it(`given ${what}, then it is refused in a line that names the option`, async () => {
      collect.exitOverride().configureOutput({ writeErr: () => {} });
      const { message } = await failureOf(collect.parseAsync(args, { from: 'user' }));
      expect(message).to.include(said).and.not.match(/\n/);
    });
});
