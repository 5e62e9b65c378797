import { afterAll, describe, it } from 'vitest';
import { postgres } from './postgres-engine.js';
import { areImportedOnce, areSentOnce, endProcess, isCarriedOutOnce } from './together.js';

afterAll(endProcess);

describe.each([postgres])('on $name', (engine) => {
  it('two processes that import the same records make each of them once', () => areImportedOnce(engine));

  it('two processes send each row once', () => areSentOnce(engine));

  it('two processes carry a decision out to one end', () => isCarriedOutOnce(engine));
});
