import { recordDecision } from '../../src/ledger/decisions/decision-log.js';
import { saveCorrection } from '../../src/ledger/decisions/known-learners.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';
import { decider } from './decider.js';

/** Records a decision that maps one e-mail address to another. */
export async function correct(ledger: Ledger, old: string, now: string, type = 'Email'): Promise<void> {
  const keys = keyMaker(ledger.salt);
  const named = (id: string) => ({ type, id, hash: keys.learner(type, id) });
  const decisionId = await recordDecision(ledger, {
    kind: 'map',
    who: decider('ada'),
    because: 'test',
    selection: {},
  });
  await saveCorrection(ledger, { old: named(old), now: named(now) }, decisionId);
}
