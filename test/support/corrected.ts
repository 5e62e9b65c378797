import { saveCorrection } from '../../src/ledger/corrections.js';
import { openDecision } from '../../src/ledger/decision-log.js';
import { keyMaker } from '../../src/ledger/keys.js';
import type { Ledger } from '../../src/ledger/query.js';
import { decider } from './decider.js';

/** Records that one e-mail address is another's by now, as a decision. */
export function correct(ledger: Ledger, old: string, now: string, type = 'Email'): void {
  const keys = keyMaker(ledger.salt);
  const named = (id: string) => ({ type, id, hash: keys.learner(type, id) });
  const decisionId = openDecision(ledger, {
    kind: 'map',
    who: decider('ada'),
    because: 'test',
    selection: {},
  });
  saveCorrection(ledger, { old: named(old), now: named(now) }, decisionId);
}
