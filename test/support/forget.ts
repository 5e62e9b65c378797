import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { forgetPerson } from '../../src/ledger/erasure/forget-person.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';
import { decider } from './decider.js';

/** Forgets the person with this address, at once. */
export async function forget(ledger: Ledger, email: string): Promise<void> {
  const learner = { type: 'Email', id: email, hash: keyMaker(ledger.salt).learner('Email', email) };
  const decision = await openDecision(ledger, {
    kind: 'forget',
    who: decider('ada'),
    because: 'test',
    learners: [learner],
    reports: false,
  });
  for await (const _ of forgetPerson(ledger, decision));
  await closeDecision(ledger, decision.decisionId);
}
