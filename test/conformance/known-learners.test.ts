import { describe, expect, it } from 'vitest';
import { knownLearners } from '../../src/ledger/decisions/known-learners.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { publishedDrop } from './staged-drop.js';

const facts = { who: decider('ada'), because: 'asked' };

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a learner is known by the hash as soon as a row names the learner, and no other is', async () => {
    const { ledger } = await open();
    const [jane, bob] = [learner(ledger, 'jane@x.example'), learner(ledger, 'bob@x.example')];
    await publishedDrop(ledger, 'a.csv', [{ user: jane.id }, { user: jane.id, content: 'C-2' }]);
    const { named } = await knownLearners(ledger, [jane.hash, bob.hash, jane.hash]);
    expect([...named]).toEqual([[jane.hash, jane]]);
    expect((await knownLearners(ledger)).named.size).toBe(0);
  });

  it('corrected and forgotten learners are known as soon as that is decided', async () => {
    const { ledger } = await open();
    const [jane, june, bob] = ['jane', 'june', 'bob'].map((name) => learner(ledger, `${name}@x.example`));
    if (!jane || !june || !bob) throw new Error('there are three');
    expect(await knownLearners(ledger)).toMatchObject({ corrections: [], suppressed: new Set() });
    await openDecision(ledger, { ...facts, kind: 'map', correction: { old: jane, now: june } });
    await openDecision(ledger, { ...facts, kind: 'forget', learners: [bob], reports: false });
    const { corrections, suppressed } = await knownLearners(ledger);
    expect(corrections).toMatchObject([{ old: jane, now: june }]);
    expect([...suppressed]).toEqual([bob.hash]);
  });
});
