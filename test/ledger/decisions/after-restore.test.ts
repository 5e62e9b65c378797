import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findSession, openSession } from '../../../src/ledger/access/sessions.js';
import { findToken, recordToken, withdrawToken } from '../../../src/ledger/access/tokens.js';
import { imbalances } from '../../../src/ledger/books/balance/imbalances.js';
import { copyLedger } from '../../../src/ledger/books/balance/ledger-health.js';
import { readState } from '../../../src/ledger/books/state/read-state.js';
import { prepareRestored } from '../../../src/ledger/decisions/after-restore.js';
import { closeLedger, openLedger } from '../../../src/ledger/store/open.js';
import { seizeLedger } from '../../../src/ledger/store/sqlite/seize-ledger.js';
import { decider } from '../../support/decider.js';
import { manualClock } from '../../support/manual-clock.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  stage,
  states,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';

const FACTS = { who: decider('test'), because: 'the disk broke' };

it('a restore holds waiting rows, puts rows under way in doubt, and leaves held rows held', async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [
    { user: 'a@x.org' },
    { user: 'b@x.org' },
    { user: 'b@x.org', content: 'C-2' },
    { user: 'c@x.org' },
    { user: 'd@x.org' },
    { user: 'e@x.org' },
  ]);
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, ACCEPTED);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await deliverNext(ledger, lease, runId, REJECTED, 400);
  await claimNext(ledger, lease, runId);
  expect(await states(ledger)).toEqual([
    'accepted',
    'rejected',
    'held:learner-unknown',
    'rejected',
    'sending',
    'waiting',
  ]);

  expect(await prepareRestored(ledger, null, { ...FACTS, foreignDropMax: 0 })).toMatchObject({
    held: 3,
    doubted: 1,
  });
  expect(await states(ledger)).toEqual([
    'accepted',
    'held:restored',
    'held:restored',
    'rejected',
    'in-doubt',
    'held:restored',
  ]);
  expect(await imbalances(ledger)).toEqual([]);
  expect((await readState(ledger, ['work'])).work.leases).toEqual([]);
});

it('a restore signs every user out, and keeps revoked tokens revoked', async () => {
  const folder = tempFolder();
  const clock = manualClock();
  const path = join(folder, 'registrar.db');
  const [session, revoked, kept] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [
    string,
    string,
    string,
  ];
  const present = openLedger(path, clock);
  const person = { name: 'ada', role: 'operator' } as const;
  const limits = { idleMs: 3_600_000, longestMs: 3_600_000 };
  await openSession(present, session, { person, how: 'oidc', stamp: null, ...limits });
  await recordToken(present, revoked, { name: 'old', role: 'operator' }, FACTS.who, null);
  await copyLedger(present, join(folder, 'backup.db'));
  await withdrawToken(present, 'old', FACTS.who);
  await recordToken(present, kept, { name: 'new', role: 'viewer' }, FACTS.who, null);
  closeLedger(present);

  const restored = openLedger(join(folder, 'backup.db'), clock);
  const seized = seizeLedger(path);
  onTestFinished(() => {
    closeLedger(restored);
    if (seized !== null) seized.close();
  });
  expect(await findSession(restored, session, limits)).not.toBeNull();
  await prepareRestored(restored, seized, { ...FACTS, foreignDropMax: 0 });
  expect(await findSession(restored, session, limits)).toBeNull();
  expect(await findToken(restored, revoked)).toBeNull();
  expect(await findToken(restored, kept)).toEqual({ name: 'new', role: 'viewer' });
});
