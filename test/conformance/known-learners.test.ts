import { expect, it } from 'vitest';
import { knownLearners } from '../../src/ledger/decisions/known-learners.js';
import { openDecision } from '../../src/ledger/decisions/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/ledger/submissions/record/keys.js';
import { decider } from '../support/decider.js';
import { openConformanceLedger } from './open-ledger.js';
import { publishedDrop } from './published-drop.js';

const given = { who: decider('ada'), because: 'asked' };

function learner(ledger: Ledger, id: string) {
  return { type: 'Email', id, hash: keyMaker(ledger.salt).learner('Email', id) };
}

it('a learner is known by the hash as soon as a row names the learner, and no other is', async () => {
  const { ledger } = openConformanceLedger();
  const [jane, bob] = [learner(ledger, 'jane@x.example'), learner(ledger, 'bob@x.example')];
  await publishedDrop(ledger, 'a.csv', [{ user: jane.id }, { user: jane.id, content: 'C-2' }]);
  const { named } = await knownLearners(ledger, [jane.hash, bob.hash, jane.hash]);
  expect([...named]).toEqual([[jane.hash, jane]]);
  expect((await knownLearners(ledger)).named.size).toBe(0);
});

it('corrected and forgotten learners are known as soon as that is decided', async () => {
  const { ledger } = openConformanceLedger();
  const [jane, june, bob] = ['jane', 'june', 'bob'].map((name) => learner(ledger, `${name}@x.example`));
  if (!jane || !june || !bob) throw new Error('there are three');
  expect(await knownLearners(ledger)).toMatchObject({ corrections: [], suppressed: new Set() });
  await openDecision(ledger, { ...given, kind: 'map', correction: { old: jane, now: june } });
  await openDecision(ledger, { ...given, kind: 'forget', learners: [bob], reports: false });
  const { corrections, suppressed } = await knownLearners(ledger);
  expect(corrections).toMatchObject([{ old: jane, now: june }]);
  expect([...suppressed]).toEqual([bob.hash]);
});
