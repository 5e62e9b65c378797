import { describe, expect, it } from 'vitest';
import { isoFromMs } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/ledger/submissions/record/keys.js';
import { readTrace } from '../../src/ledger/trace/read-trace.js';
import { ACCEPTED, deliverNext, mustLease, stage, UNKNOWN_LEARNER } from '../support/staged-ledger.js';
import { openConformanceLedger } from './open-ledger.js';

const ADA = 'ada@x.example';

const asked = (what: string, ledger?: Ledger) => ({
  what,
  learners:
    ledger === undefined
      ? []
      : [{ type: 'Email', id: what, hash: keyMaker(ledger.salt).learner('Email', what) }],
  searchAll: true,
});

describe('a trace', () => {
  it('finds the same life by submission, by line, by learner and by the beginning of its key', async () => {
    const { ledger } = openConformanceLedger();
    const { dropId } = await stage(ledger, [{ user: 'bea@x.example' }, { user: ADA }]);
    const bySubmission = await readTrace(ledger, asked('#2'));
    const key = bySubmission.lives[0]?.key ?? '';
    expect(bySubmission).toMatchObject({
      kind: 'submission',
      rows: [{ dropId, line: 3, disposition: 'staged', submissionId: 2 }],
      lives: [{ submissionId: 2, state: 'waiting', queue: { before: 1, behind: null } }],
    });
    for (const [what, kind] of [
      [asked(`${dropId}:3`), 'row'],
      [asked(ADA, ledger), 'learner'],
      [asked(key), 'key'],
      [asked(key.slice(0, key.lastIndexOf('/'))), 'key'],
    ] as const) {
      const { rows, lives, ...found } = await readTrace(ledger, what);
      expect([found.kind, rows, lives]).toEqual([kind, bySubmission.rows, bySubmission.lives]);
    }
  });

  it('follows a row to the submission that it repeats, and to all rows that repeat that', async () => {
    const { ledger } = openConformanceLedger();
    const one = await stage(ledger, [{ user: ADA }]);
    const two = await stage(ledger, [{ user: ADA }]);
    const { rows, drops } = await readTrace(ledger, asked(`${two.dropId}:2`));
    expect(rows.map(({ dropId, disposition }) => [dropId, disposition])).toEqual([
      [one.dropId, 'staged'],
      [two.dropId, 'duplicate'],
    ]);
    expect(drops.map(({ dropId }) => dropId)).toEqual([one.dropId, two.dropId]);
  });

  it('shows the rechecks of a refused learner', async () => {
    const { ledger, clock } = openConformanceLedger();
    const { runId } = await stage(ledger, [{ user: ADA }, { user: 'bea@x.example' }]);
    const lease = await mustLease(ledger, 'push:main');
    const askedAt = isoFromMs(clock.nowMs());
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect((await readTrace(ledger, asked('#1'))).lives).toMatchObject([
      { state: 'rejected', queue: null, hold: { rechecks: 0, askedAt } },
    ]);
    expect((await readTrace(ledger, asked('#2'))).lives).toMatchObject([{ queue: null, hold: null }]);
  });

  it('finds nothing in an unpublished drop, but says that the drop exists', async () => {
    const { ledger } = openConformanceLedger();
    const { dropId } = await stage(ledger, [{ user: ADA }], { publish: false });
    expect(await readTrace(ledger, asked('#1'))).toMatchObject({ kind: null, lives: [], rows: [] });
    expect(await readTrace(ledger, asked(`${dropId}:2`))).toMatchObject({
      kind: null,
      rows: [],
      named: [{ line: 2, drop: { dropId, state: 'staging' } }],
    });
  });

  it('names the lines where no row was read', async () => {
    const { ledger } = openConformanceLedger();
    const { dropId } = await stage(ledger, [{ user: ADA }]);
    const found = await readTrace(ledger, asked(`${dropId}:99`));
    expect(found).toMatchObject({ kind: null, missing: [{ dropId, line: 99 }], rows: [] });
  });

  it('finds all keys that begin alike, and nothing that it never had', async () => {
    const { ledger } = openConformanceLedger();
    await stage(ledger, [
      { user: ADA, content: 'C-1' },
      { user: ADA, content: 'C-2' },
    ]);
    const key = (await readTrace(ledger, asked('#1'))).lives[0]?.key ?? '';
    const [hash = ''] = key.split('/');
    const found = await readTrace(ledger, asked(`${hash}/`));
    expect(found.lives.map(({ submissionId }) => submissionId)).toEqual([1, 2]);
    for (const other of [`${hash}/${hash}`, key.replace('/main/', '/test/'), `${key}0`])
      expect((await readTrace(ledger, asked(other))).kind).toBeNull();
    expect((await readTrace(ledger, asked('nobody@x.example', ledger))).kind).toBeNull();
  });
});
