import { expect } from 'chai';
import { commandText } from '../../../src/lib/user-error.js';

describe('how an operator runs a command', () => {
  const { npm_lifecycle_event: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env.npm_lifecycle_event;
    else process.env.npm_lifecycle_event = before;
  });

  for (const [started, script, withArgs, without] of [
    ['npm run serve', 'serve', 'npm run keys -- list', 'npm run verify'],
    ['npx forecast-accuracy serve', 'npx', 'forecast-accuracy keys list', 'forecast-accuracy verify'],
    ['a container or a unit', undefined, 'forecast-accuracy keys list', 'forecast-accuracy verify'],
  ] as const) {
    it(`given a program that was started by ${started}, then it is ${withArgs}`, () => {
      if (script === undefined) delete process.env.npm_lifecycle_event;
      else process.env.npm_lifecycle_event = script;
      expect([commandText('keys', 'list'), commandText('verify')]).to.deep.equal([withArgs, without]);
    });
  }
});
