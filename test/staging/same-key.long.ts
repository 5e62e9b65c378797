import { describe, it } from 'vitest';
import { expectDecisionOrBest, LOWER } from './same-key-setup.js';

describe('rows of one file with one key and another score', () => {
  it('need a decision, or the best counts: a retake that went better, a score of 0, one try repeated', () =>
    expectDecisionOrBest([
      ['a retake that went better', [40, 90], [LOWER, 'staged'], '90 waiting'],
      ['none and a score of 0', [null, 0], [LOWER, 'staged'], '0 waiting'],
      ['one try repeated', [90, 40, 90], ['staged', LOWER, 'duplicate'], '90 waiting'],
    ]));
});
