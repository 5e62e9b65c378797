import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { correct as verb } from '../../../src/actions/correct/correct.js';
import { finishDecisions } from '../../../src/actions/decision/finish.js';
import { systemClock } from '../../../src/domain/clock.js';
import { mapSeries } from '../../../src/domain/process/series.js';
import { STATES } from '../../../src/domain/submission.js';
import { imbalances } from '../../../src/ledger/books/balance/imbalances.js';
import { resultOf } from '../../../src/ledger/decisions/decision-log.js';
import { releaseLease } from '../../../src/ledger/leases/leases.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { sourceOf, stageContent } from '../../staging/staging-bench.js';
import { actionContext } from '../../support/action-context.js';
import { bytesOnDisk } from '../../support/bytes-on-disk.js';
import { decider } from '../../support/decider.js';
import { csvOf, exportRow } from '../../support/exports.js';
import { decisions, lives, rowAt } from '../../support/ledger-trace.js';
import { select } from '../../support/select.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  testLedger,
} from '../../support/staged-ledger.js';

/** Drop 1: lines 2 and 3 accepted and refused by the platform, line 4 invalid, line 5 waiting, line 6 a repeat of it. */
let ledger: Ledger;
beforeEach(async () => {
  ledger = testLedger(systemClock());
  const waiting = exportRow(4);
  await stageContent(
    ledger,
    csvOf([exportRow(1), exportRow(2), exportRow(3, { email: 'nobody' }), waiting, waiting]),
  );
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, 1, ACCEPTED);
  await deliverNext(ledger, lease, 1, REJECTED, 400);
  await releaseLease(ledger, lease);
});

const context = (sources = [sourceOf()]) => actionContext(ledger, { sources });

function setting(what: string, ...set: readonly string[]) {
  return { row: what, values: set };
}

async function correct(what: string, ...set: readonly string[]) {
  const planned = await verb.plan(context(), setting(what, ...set));
  const corrected = await verb.carryOut(context(), planned, decider('ada'), 'she told us');
  return { planned, corrected };
}

/** The submission that a row became. */
async function idAt(dropId: number, line: number): Promise<number | null> {
  return (await rowAt(ledger, dropId, line)).submission;
}

/** Where each submission came from, and its state. */
async function states(): Promise<unknown[]> {
  const all = await select(ledger, { states: STATES });
  const inOrder = [...all].sort(
    (a, b) => a.drop - b.drop || a.line - b.line || a.submissionId - b.submissionId,
  );
  return inOrder.map(({ drop: dropId, line, state }) => [dropId, line, state]);
}

/** Each decision with who made it, through which door and why, and its result. */
async function decided(): Promise<unknown[]> {
  return mapSeries(await decisions(ledger), async ({ decisionId, kind, who, door, because }) => [
    kind,
    who,
    door,
    because,
    await resultOf(ledger, decisionId),
  ]);
}

describe('a plan to correct a row', () => {
  it('shows each cell as it is in the file, as it would be and as it is read, and changes nothing', async () => {
    const before = bytesOnDisk(ledger);
    const planned = await verb.plan(context(), setting('drop.csv:4', 'Email=Ada@Example.org'));
    expect(planned.cells[0]).toEqual({
      column: 'Email',
      field: 'user-id',
      was: 'nobody',
      given: 'Ada@Example.org',
      value: 'ada@example.org',
      rule: 'lower case',
    });
    expect(planned.outcome).toMatchObject({ disposition: 'staged', original: 'resolved' });
    expect(planned.records).toMatchObject([{ request: { method: 'POST' } }]);
    expect(bytesOnDisk(ledger)).toBe(before);
  });

  it('of values that are still invalid lists every issue, and can’t be carried out', async () => {
    const planned = await verb.plan(context(), setting('1:4', 'user-id=nobody again', 'Completed on=never'));
    expect(planned.outcome.disposition).toBe('invalid');
    expect(planned.issues.map(({ code }) => code)).toEqual(['email-invalid', 'timestamp-invalid']);
    await expect(verb.carryOut(context(), planned, decider('ada'), 'x')).rejects.toThrow(/still invalid/);
    expect(await decided()).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['an accepted one', 'drop.csv:2', /drop\.csv:2 was accepted by the platform as #\d/],
    ['one that repeats another', 'drop.csv:6', /#\d replaces drop\.csv:6/],
    ['the header', 'drop.csv:1', /drop\.csv:1 is non-data/],
    ['a line that isn’t a row', 'drop.csv:99', /drop\.csv:99 isn't a row: nothing was read there/],
    ['an unknown submission', '#99', /there is no submission #99/],
    ['a learner', 'learner1@example.org', /names no row/],
  ])('of %s is refused with the reason', async (_, what, message) => {
    await expect(verb.plan(context(), setting(what, 'Email=a@b.org'))).rejects.toThrow(message);
  });

  it('of a row that is under way says to wait for its answer', async () => {
    const lease = await mustLease(ledger, 'push:main');
    await claimNext(ledger, lease, 1);
    await expect(verb.plan(context(), setting('1:5', 'Email=a@b.org'))).rejects.toThrow(
      /is being delivered as #\d/,
    );
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown column', ['Emial=x'], /no column "Emial"; did you mean "Email"\?/],
    ['a column twice', ['Email=x', 'user-id=y'], /"Email" is set twice/],
    ['a name that every object has', ['toString=x'], /no column "toString"/],
    ['nothing', ['Email'], /sets no column/],
  ])('that sets %s is refused with that reason', async (_, set, message) => {
    await expect(verb.plan(context(), setting('1:4', ...set))).rejects.toThrow(message);
  });

  it('of a date that only the whole column explains reads the whole column', async () => {
    const rows = Array.from({ length: 70 }, (_, n) =>
      exportRow(n + 100, { at: `2024-01-01 10:00:${n % 60}`.padEnd(19, '0') }),
    );
    await stageContent(
      ledger,
      csvOf([...rows, exportRow(200, { at: '13/04/2024 10:00' }), exportRow(201, { email: 'nobody' })]),
    );
    const planned = await verb.plan(
      context(),
      setting('2:73', 'Email=a@b.org', 'Completed on=03/04/2024 10:00'),
    );
    expect(planned.cells[2]?.value).toBe('2024-04-03T08:00:00.000Z');
  });
});

describe('correcting a row', () => {
  it('that was refused replaces it by its new values, as one decision of the person who corrects, and the books balance', async () => {
    const { planned, corrected } = await correct(`#${await idAt(1, 3)}`, 'Email=ada@example.org');
    expect(planned).toMatchObject({ outcome: { disposition: 'staged', original: 'replaced' } });
    expect(corrected).toMatchObject({ moved: 1, resolved: 0, rows: { made: 1, left: 0 } });
    expect(await states()).toEqual([
      [1, 2, 'accepted'],
      [1, 3, 'replaced'],
      [1, 3, 'waiting'],
      [1, 5, 'waiting'],
    ]);
    expect(await decided()).toEqual([
      ['correct', 'ada', 'command-line', 'she told us', { moved: 1, made: 1, resolved: 0 }],
    ]);
    expect(await imbalances(ledger)).toEqual([]);
    const { paths } = context();
    expect([paths.archive, paths.processing].filter(existsSync)).toEqual([]);
  });

  it('that was invalid resolves it, and a second correction replaces the first', async () => {
    const { corrected } = await correct('drop.csv:4', 'Email=ada@example.org');
    expect(corrected).toMatchObject({ moved: 0, resolved: 1 });
    const { planned } = await correct('drop.csv:4', 'Score=77');
    expect(planned).toMatchObject({ row: { correctedBy: 1 }, outcome: { original: 'replaced' } });
    expect((await states()).filter((row) => (row as unknown[])[1] === 4)).toEqual([
      [1, 4, 'replaced'],
      [1, 4, 'waiting'],
    ]);
    expect((await lives(ledger)).at(-1)).toMatchObject({
      drop: 1,
      line: 4,
      record: { 'user-id': 'ada@example.org' },
    });
  });

  it.each([
    ['nothing', `Score=${exportRow(2).score}`],
    ['how a value is written', 'Status=COMPLETED'],
  ])('that changes %s is refused and resends no row', async (_, set) => {
    const before = await states();
    const planned = await verb.plan(context(), setting('drop.csv:3', set));
    expect(planned.outcome).toEqual({ disposition: 'duplicate', original: 'unchanged' });
    await expect(verb.carryOut(context(), planned, decider('ada'), 'x')).rejects.toMatchObject({
      message: expect.stringContaining('nothing would change'),
      hint: expect.stringContaining('to send the row again unchanged, rerun it'),
    });
    expect([await states(), await decided()]).toEqual([before, []]);
  });

  it('back to an earlier value counts as a further correction', async () => {
    await correct('drop.csv:3', 'Score=11');
    await correct('drop.csv:3', 'Score=12');
    await correct('drop.csv:3', 'Score=11');
    const own = (await states()).filter((row) => (row as unknown[])[1] === 3);
    expect(own.map((row) => (row as unknown[])[2])).toEqual(['replaced', 'replaced', 'replaced', 'waiting']);
    expect(await decided()).toHaveLength(3);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('takes a typed identifier and a typed time as is: no spreadsheet has altered them', async () => {
    const { planned } = await correct('drop.csv:3', 'Completed on=2024-01-03 10:00', 'Course ID=COURSE-02');
    expect(planned).toMatchObject({ outcome: { disposition: 'staged' }, issues: [] });
  });

  it('that is waiting replaces it before it is sent', async () => {
    await correct('drop.csv:5', 'Score=99');
    expect((await states()).slice(-2)).toEqual([
      [1, 5, 'replaced'],
      [1, 5, 'waiting'],
    ]);
  });
});

it('a correction of a removed source stays open, and resumes once the source is back', async () => {
  const planned = await verb.plan(context(), setting('drop.csv:3', 'Score=11'));
  const isGone = { ...context(), config: { ...context().config, sources: [] } };
  await expect(verb.carryOut(isGone, planned, decider('ada'), 'x')).rejects.toThrow(
    /no longer has this source/,
  );
  expect(await finishDecisions(isGone, null)).toMatchObject([{ exit: 'attention' }]);
  expect(await finishDecisions(context(), null)).toEqual([]);
  expect(await decided()).toEqual([
    ['correct', 'ada', 'command-line', 'x', { moved: 1, made: 1, resolved: 0 }],
  ]);
});
