import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { collected } from '../../src/domain/process/series.js';
import { STATES } from '../../src/domain/submission.js';
import { recordEvent } from '../../src/ledger/access/audit-log.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { issuesOfCorrection, outcomesOf } from '../../src/ledger/decisions/corrected-rows.js';
import { refusedDrops } from '../../src/ledger/drops/refused/refused-drops.js';
import { allKeptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { TracedLife } from '../../src/ledger/trace/submission-life.js';
import { trace } from '../../src/report/trace/trace.js';
import { waitingFilter } from '../conformance/selection-of.js';
import { actionContext } from '../support/action-context.js';
import { type CorrectedRow, correctedFileOf } from '../support/corrected-file-of.js';
import { writeDirectly } from '../support/damage.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { csvOf, DEFAULT_COLUMNS, type ExportRow, exportRow } from '../support/exports.js';
import { forget } from '../support/forget.js';
import { decisions, openRows, rowAt, traceOf } from '../support/ledger-trace.js';
import { restage } from '../support/restage.js';
import { samples } from '../support/samples.js';
import { select } from '../support/select.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  testLedger,
} from '../support/staged-ledger.js';
import { BAD, prepared, ROWS } from './corrected-rows-setup.js';
import { checkCorrections, sourceOf, stageContent, stageSheets } from './staging-bench.js';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await prepared();
});

/** Drops corrected rows of drop 1, and returns the outcome of each; a dry run predicts the same. */
async function dropCorrected(...rows: readonly CorrectedRow[]): Promise<string[]> {
  return returned(await correctedFileOf(ledger, 1, rows), rows.length);
}

async function returned(content: string, rows: number): Promise<string[]> {
  const { corrections, issues } = await checkCorrections(ledger, content);
  const planned = corrections.flatMap((one) => one.rows);
  const [decided] = await stageSheets(ledger, content);
  if (decided?.kind !== 'corrected') throw new Error(`it was ${decided?.kind}`);
  if (decided.isRepeat) return [];
  const { made, left } = await outcomesOf(ledger, decided.decisionId);
  const isMade = ({ disposition, original }: (typeof planned)[number]) =>
    ['staged', 'amended'].includes(disposition) && original !== 'unchanged';
  expect([made, left]).toEqual([planned.filter(isMade).length, 0]);
  expect(await imbalances(ledger)).toEqual([]);
  return Array.from({ length: rows }, (_, index) => {
    const line = index + 2;
    const disposition = planned.find((row) => row.line === line)?.disposition ?? 'invalid';
    const codes = issues.filter((issue) => issue.line === line).map(({ code }) => code);
    return [disposition, ...codes].join(' ');
  });
}

async function refusalOf(content: string, source = sourceOf()): Promise<string> {
  const results = await stageSheets(ledger, content, { source });
  const refused = results.find(({ kind }) => kind === 'refused');
  return refused?.kind === 'refused' ? refused.sentence : (results[0]?.kind ?? '');
}

/** Every submission's state, by the row it was made from. */
async function states(): Promise<unknown[]> {
  const all = await select(ledger, { states: STATES });
  const inOrder = [...all].sort(
    (a, b) => a.drop - b.drop || a.line - b.line || a.submissionId - b.submissionId,
  );
  return inOrder.map(({ state }) => state);
}

/** The latest submission that was made from a row. */
async function at(dropId: number, line: number): Promise<TracedLife> {
  const { lives } = await traceOf(ledger, `${dropId}:${line}`);
  const life = lives.findLast((one) => one.drop === dropId && one.line === line);
  if (!life) throw new Error(`line ${line} of drop ${dropId} became no submission`);
  return life;
}

/** The cells that decisions have given rows. */
async function corrections() {
  const kept = (await collected(allKeptRows(ledger, 100))).flat();
  return kept.filter(({ decisionId }) => decisionId > 0);
}

/** The outcome of the one invalid row of drop 1; null: none yet. */
const resolved = async () => (await rowAt(ledger, 1, 4)).resolution;

describe('what a corrected row is', () => {
  it('with another key: staged, and its original replaced by it', async () => {
    expect(await dropCorrected({ of: 2, row: exportRow(1, { email: 'ada@example.org' }) })).toEqual([
      'staged',
    ]);
    expect(await states()).toEqual(['replaced', 'waiting', 'rejected']);
    const [was, now] = (await traceOf(ledger, '1:2')).lives;
    expect([was?.replacedBy, now]).toMatchObject([now?.submission, { madeBy: { kind: 'correct' } }]);
  });

  it('with a key that is known: a duplicate, and its original replaced by what it repeats', async () => {
    await stageContent(ledger, csvOf([exportRow(9)]));
    expect(await dropCorrected({ of: 2, row: exportRow(9) })).toEqual(['duplicate']);
    expect(await states()).toEqual(['replaced', 'rejected', 'waiting']);
    expect(await at(1, 2)).toMatchObject({ replacedBy: (await at(2, 2)).submission });
  });

  it('with the same key and other content: amended, and its original replaced by it', async () => {
    expect(await dropCorrected({ of: 2, row: exportRow(1, { score: 99 }) })).toEqual(['amended']);
    expect(await states()).toEqual(['replaced', 'waiting', 'rejected']);
  });

  it('unchanged: skipped, and its original left where it is, in whatever notation the cells come', async () => {
    const before = await at(1, 2);
    const { at: time, email } = exportRow(2);
    const other = exportRow(2, { at: `${time.replace(' ', 'T')} `, email: email.toUpperCase() });
    expect(
      await dropCorrected({ of: 2, row: exportRow(1) }, { of: 3, row: other }, { of: 4, row: BAD }),
    ).toEqual(Array.from({ length: 3 }, () => 'skipped not-corrected'));
    expect(await states()).toEqual(['rejected', 'rejected']);
    expect((await at(1, 2)).transitions).toEqual(before.transitions);
    expect(await openRows(ledger)).toEqual([{ dropId: 1, line: 4 }]);
    // These rows need no decision, so nothing of the file is left.
    expect(await issuesOfCorrection(ledger, 1)).toEqual([]);
    expect(await refusedDrops(ledger)).toEqual([]);
  });

  it('that its source reads as a record by now: one where it is corrected too, else open before it is restaged', async () => {
    const odd = (n: number) => exportRow(n, { status: 'Waved through' });
    await stageContent(ledger, csvOf([odd(20), odd(21), exportRow(22)]));
    const content = await correctedFileOf(ledger, 2, [
      { of: 2, row: odd(20) },
      { of: 3, row: exportRow(21) },
    ]);
    const source = sourceOf({ status: { completed: ['waved through'] } });
    await stageSheets(ledger, content, { source });
    expect(await openRows(ledger)).toEqual([
      { dropId: 1, line: 4 },
      { dropId: 2, line: 2 },
    ]);
    expect(await at(2, 3)).toMatchObject({ state: 'waiting', madeBy: { kind: 'correct' } });
    expect(await restage(ledger, 2, source)).toMatchObject({ open: 1, made: 1 });
  });

  it('corrected again to what was refused: a duplicate, whose submission is sent again', async () => {
    const row = exportRow(1, { email: 'ada@example.org' });
    await dropCorrected({ of: 2, row });
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), 1, REJECTED);
    // An older copy of the file, in which the row is changed.
    expect(await dropCorrected({ of: 2, row }, { of: 3, row: exportRow(2) })).toEqual([
      'duplicate',
      'skipped not-corrected',
    ]);
    expect(await states()).toEqual(['replaced', 'waiting', 'rejected']);
    const { priority, transitions } = await at(1, 2);
    expect(priority).toBe(1);
    expect(transitions.at(-1)).toMatchObject({
      event: 'rerun',
      cause: 'returned',
      decision: { kind: 'correct', who: 'somebody', because: 'drop.csv' },
    });
  });

  it('that was no record and is one: staged, and the invalid row resolved by it', async () => {
    expect(await dropCorrected({ of: 4, row: exportRow(3) })).toEqual(['staged']);
    expect(await resolved()).toMatchObject({ submission: (await at(1, 4)).submission });
  });

  it('that was and stays no record: open with its new cells and issues, or unchanged', async () => {
    expect(await dropCorrected({ of: 4, row: BAD })).toEqual(['skipped not-corrected']);
    const wrong = { ...BAD, email: 'no one', status: 'odd' };
    expect(await dropCorrected({ of: 4, row: wrong })).toEqual(['invalid status-unknown email-invalid']);
    expect(await resolved()).toBeNull();
    expect(await openRows(ledger)).toEqual([{ dropId: 1, line: 4 }]);
    const row = await rowAt(ledger, 1, 4);
    expect(row.cells?.slice(0, 1)).toEqual(['no one']);
    expect(row.issues.map(({ code }) => code)).toEqual(['status-unknown', 'email-invalid']);
    expect(row.correctedBy).toMatchObject({ kind: 'correct', who: 'somebody' });
    expect(
      await returned(await correctedFileOf(ledger, 1, [{ of: 4, row: exportRow(3) }], DEFAULT_COLUMNS, 2), 1),
    ).toEqual(['staged']);
    expect(await openRows(ledger)).toEqual([]);
  });

  it('that says not to deliver it: skipped, and the invalid row resolved by that, as a check says before', async () => {
    const notYet = { of: 4, row: { ...BAD, status: 'Not started' } };
    const checked = await checkCorrections(ledger, await correctedFileOf(ledger, 1, [notYet]));
    expect(checked.corrections[0]?.rows).toMatchObject([{ disposition: 'skipped', original: 'resolved' }]);
    expect(await dropCorrected(notYet)).toEqual(['skipped status-not-completed']);
    expect(await resolved()).toMatchObject({ submission: null, decision: { kind: 'correct' } });
  });

  it('that is no record any more: invalid, and the submission left where it is', async () => {
    expect(await dropCorrected({ of: 2, row: exportRow(1, { email: '' }) })).toEqual([
      'invalid value-missing',
    ]);
    expect(await states()).toEqual(['rejected', 'rejected']);
  });

  it('that was emptied: skipped, and its original left open', async () => {
    const nothing = { email: '', course: '', at: '', score: null, status: '' };
    expect(await dropCorrected({ of: 2, row: nothing }, { of: 4, row: nothing })).toEqual([
      'skipped not-corrected',
      'skipped not-corrected',
    ]);
    expect(await states()).toEqual(['rejected', 'rejected']);
    expect(await resolved()).toBeNull();
  });

  it('like another one of the file: a duplicate of it, which replaces both originals', async () => {
    const same = exportRow(7);
    expect(await dropCorrected({ of: 2, row: same }, { of: 3, row: same })).toEqual(['staged', 'duplicate']);
    const { submission: submissionId } = await at(1, 2);
    expect((await traceOf(ledger, '1:2')).lives[0]).toMatchObject({ replacedBy: submissionId });
    expect(await at(1, 3)).toMatchObject({ replacedBy: submissionId });
  });

  it('corrected back: a new revision of what was replaced', async () => {
    await dropCorrected({ of: 2, row: exportRow(1, { email: 'ada@example.org' }) });
    const back = await correctedFileOf(ledger, 1, [{ of: 2, row: exportRow(1) }], DEFAULT_COLUMNS, 1);
    expect(await returned(back, 1)).toEqual(['amended']);
    expect(await states()).toEqual(['replaced', 'replaced', 'waiting', 'rejected']);
    expect(await at(1, 2)).toMatchObject({ revision: 2 });
  });

  it('unchanged, where it was corrected since: skipped, which takes nothing back', async () => {
    await dropCorrected(
      { of: 2, row: exportRow(1, { email: 'ada@example.org' }) },
      { of: 4, row: exportRow(3) },
    );
    const before = await states();
    expect(await dropCorrected({ of: 2, row: exportRow(1) }, { of: 4, row: BAD })).toEqual([
      'skipped not-corrected',
      'skipped not-corrected',
    ]);
    expect(await states()).toEqual(before);
  });

  it('swapped with another one: both are sent again, and neither is lost', async () => {
    expect(await dropCorrected({ of: 2, row: exportRow(2) }, { of: 3, row: exportRow(1) })).toEqual([
      'duplicate',
      'duplicate',
    ]);
    expect(await states()).toEqual(['waiting', 'waiting']);
  });

  it('of a learner who was forgotten: skipped, and nothing of it is kept', async () => {
    await forget(ledger, exportRow(5).email);
    expect(await dropCorrected({ of: 2, row: exportRow(5) })).toEqual(['skipped learner-forgotten']);
    expect(await corrections()).toEqual([]);
    expect(await states()).toEqual(['rejected', 'rejected']);
  });

  it('whose original was erased: skipped, and nothing of it is kept', async () => {
    await openDecision(ledger, { kind: 'purge', who: decider('x'), because: null, selection: {} });
    writeDirectly(ledger, 'update row set cells = null');
    expect(await dropCorrected({ of: 2, row: exportRow(5) })).toEqual(['skipped original-erased']);
    expect(await corrections()).toEqual([]);
  });

  it('is read by what the whole original column proved, corrected once or twice', async () => {
    const on = (text: string) => ({ at: text });
    const rows = [exportRow(20, on('13/01/2024 08:00')), { ...BAD, at: '02/01/2024 08:00' }];
    await stageContent(ledger, csvOf(rows));
    const wrong = exportRow(30, { at: '02/01/2024 08:00', email: 'no one' });
    expect(await returned(await correctedFileOf(ledger, 2, [{ of: 3, row: wrong }]), 1)).toEqual([
      'invalid email-invalid',
    ]);
    const row = exportRow(30, on('02/01/2024 08:00'));
    expect(await returned(await correctedFileOf(ledger, 2, [{ of: 3, row }], DEFAULT_COLUMNS, 1), 1)).toEqual(
      ['staged'],
    );
    expect((await at(2, 3)).record?.['completed-at']).toBe('2024-01-02T07:00:00.000Z');
  });

  it('is read for itself, even below what looks like the header of another table', async () => {
    const words = exportRow(0, {
      email: 'Work email',
      course: 'Course code',
      at: 'Finished',
      status: 'Result',
    });
    await stageContent(ledger, csvOf([exportRow(20), { ...words, score: null }, BAD]));
    const content = await correctedFileOf(ledger, 2, [
      { of: 3, row: { ...words, score: null } },
      { of: 4, row: exportRow(30) },
    ]);
    expect(await returned(content, 2)).toEqual(['skipped not-corrected', 'staged']);
  });

  it('is no record where it is below the header of another table and is unchanged', async () => {
    const header = exportRow(0, { email: 'Work email', course: 'Email', at: 'Course ID', status: 'Result' });
    await stageContent(ledger, csvOf([exportRow(20), { ...header, score: null }, exportRow(21)]));
    expect(await returned(await correctedFileOf(ledger, 2, [{ of: 4, row: exportRow(21) }]), 1)).toEqual([
      'skipped not-corrected',
    ]);
    expect(await restage(ledger, 2, sourceOf())).toMatchObject({ made: 0, still: 2 });
  });
});

describe('a correction comes too late', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['accepted', async () => deliver()],
    ['dismissed', async () => dismiss()],
    ['being sent', async () => claimNext(ledger, await rerun(), 1)],
  ])(
    'when its original is %s: its changes are skipped, and without changes it does nothing',
    async (_, meanwhile) => {
      await meanwhile();
      const before = await states();
      expect(await dropCorrected({ of: 2, row: exportRow(1) })).toEqual(['skipped not-corrected']);
      expect(await dropCorrected({ of: 2, row: exportRow(1, { score: 99 }) })).toEqual([
        'skipped original-closed',
      ]);
      expect(await dropCorrected({ of: 2, row: exportRow(1, { email: 'x' }) })).toEqual([
        'skipped original-closed',
      ]);
      expect(await states()).toEqual(before);
    },
  );

  it('when it was corrected meanwhile, even where that was refused in turn', async () => {
    const row = exportRow(1, { email: 'ada@example.org' });
    await dropCorrected({ of: 2, row });
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), 1, ACCEPTED);
    expect(await dropCorrected({ of: 2, row }, { of: 4, row: BAD })).toEqual([
      'duplicate',
      'skipped not-corrected',
    ]);
    expect(await dropCorrected({ of: 2, row: exportRow(8) })).toEqual(['skipped original-closed']);
  });

  async function rerun() {
    const { submission: submissionId } = await at(1, 2);
    const selected = await select(ledger, { states: ['rejected'], submissionIds: [submissionId] });
    await decide(ledger, { kind: 'rerun', who: decider('x'), because: null, selection: {} }, selected, 1);
    return mustLease(ledger, 'push:main');
  }

  async function deliver(): Promise<void> {
    await deliverNext(ledger, await rerun(), 1, ACCEPTED);
  }

  async function dismiss(): Promise<void> {
    const { submission: submissionId } = await at(1, 2);
    const selected = await select(ledger, { states: ['rejected'], submissionIds: [submissionId] });
    await decide(ledger, { kind: 'dismiss', who: decider('x'), because: 'y', selection: {} }, selected, 1);
  }
});

describe('a row that cannot be placed is invalid', () => {
  it.each<[string, string, Partial<CorrectedRow>]>([
    ['without _row', 'original-unknown', { of: '' }],
    ['with words in _row', 'original-unknown', { of: 'two' }],
    ['with a line that the original has not', 'original-unknown', { of: 99 }],
    ['without _drop', 'original-unknown', { mark: '' }],
    ['with the mark of another drop', 'original-unknown', { mark: `7-${'0'.repeat(12)}` }],
  ])('%s', async (_, code, changes) => {
    const good = { of: 3, row: exportRow(8) };
    expect(await dropCorrected(good, { of: 2, row: exportRow(9), ...changes })).toEqual([
      'staged',
      `invalid ${code}`,
    ]);
    expect(await states()).toEqual(['rejected', 'replaced', 'waiting']);
    expect(await refusedDrops(ledger)).toMatchObject([{ file: 'drop.csv', code }]);
  });

  it('when several replace one original: all of them', async () => {
    const rows = [
      { of: 2, row: exportRow(8) },
      { of: 3, row: exportRow(2) },
      { of: 2, row: exportRow(9) },
    ];
    expect(await dropCorrected(...rows)).toEqual([
      'invalid original-repeated',
      'skipped not-corrected',
      'invalid original-repeated',
    ]);
  });
});

describe('what a spreadsheet has damaged is invalid', () => {
  it.each<[string, ExportRow, Partial<ExportRow>, string]>([
    [
      'an identifier without its zeros',
      exportRow(40, { course: '007' }),
      { course: '7' },
      'identifier-damaged',
    ],
    [
      'a time without its seconds',
      exportRow(41, { at: '2024-03-01 08:00:13' }),
      { at: '2024-03-01 08:00' },
      'timestamp-damaged',
    ],
  ])('%s', async (_, original, saved, code) => {
    await stageContent(ledger, csvOf([original]));
    const content = await correctedFileOf(ledger, 2, [{ of: 2, row: { ...original, score: 1, ...saved } }]);
    expect(await returned(content, 1)).toEqual([`invalid ${code}`]);
    expect((await states()).at(-1)).toBe('waiting');
  });
});

describe('a file of which something can’t be done', () => {
  const stray = { of: '', row: exportRow(9) };

  it('is refused with its reasons until it comes again without it, and the rest of it counts', async () => {
    const good = { of: 4, row: exportRow(3) };
    const content = await correctedFileOf(ledger, 1, [good, stray]);
    const results = await stageSheets(ledger, content);
    expect(results).toMatchObject([
      { kind: 'corrected', decisionId: 1 },
      { kind: 'refused', sentence: expect.stringMatching(/^Line 3: _row "" is not the line of a row/) },
    ]);
    expect(await resolved()).toMatchObject({ decision: { kind: 'correct' } });
    expect(await issuesOfCorrection(ledger, 1)).toMatchObject([{ line: 3, code: 'original-unknown' }]);
    expect(await refusedDrops(ledger)).toHaveLength(1);
    const before = await states();
    // The same bytes: nothing is decided but what is left.
    expect((await stageSheets(ledger, content)).map(({ kind }) => kind)).toEqual(['corrected', 'refused']);
    await stageSheets(ledger, await correctedFileOf(ledger, 1, [good]));
    expect(await refusedDrops(ledger)).toEqual([]);
    expect(await states()).toEqual(before);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('is closed by a dismissal', async () => {
    await stageSheets(ledger, await correctedFileOf(ledger, 1, [stray]));
    const [refused] = await refusedDrops(ledger);
    await openDecision(ledger, {
      kind: 'dismiss',
      who: decider('x'),
      because: 'y',
      selection: {},
      filter: await waitingFilter(ledger),
      refusals: [refused?.drop ?? 0],
    });
    expect(await refusedDrops(ledger)).toEqual([]);
  });
});

it('a corrected file that arrives twice is decided once', async () => {
  const content = await correctedFileOf(ledger, 1, [{ of: 4, row: exportRow(3) }]);
  await stageSheets(ledger, content);
  const before = await states();
  expect(await stageSheets(ledger, content)).toMatchObject([
    { kind: 'corrected', decisionId: 1, isRepeat: true },
  ]);
  expect([await states(), (await decisions(ledger)).length]).toEqual([before, 1]);
});

describe('a corrected file is refused', () => {
  const row = { of: 2, row: exportRow(8) };

  it('when it is of no drop of this ledger, or nothing says of which', async () => {
    const mark = `1-${'0'.repeat(12)}`;
    expect(await refusalOf(await correctedFileOf(ledger, 1, [{ ...row, mark }]))).toContain(
      `_drop "${mark}" is not a drop of this ledger`,
    );
    expect(await refusalOf(await correctedFileOf(ledger, 1, [{ ...row, mark: '' }]))).toContain(
      '_drop "" is not a drop of this ledger',
    );
  });

  it('when it is of a drop of a source that is gone', async () => {
    const source = sourceOf({ name: 'campus' });
    expect(await refusalOf(await correctedFileOf(ledger, 1, [row]), source)).toContain(
      'Restore the source in registrar.yaml',
    );
  });

  it('when its columns are not the original ones', async () => {
    const columns = {
      email: 'E-Mail',
      course: 'Course ID',
      at: 'Completed on',
      score: 'Score',
      status: 'Status',
    };
    expect(await refusalOf(await correctedFileOf(ledger, 1, [row], columns))).toContain(
      'missing: "Email"; not in the original: "E-Mail"',
    );
  });
});

it('a row that was corrected and is no record yet is restaged with its new cells', async () => {
  const odd = { of: 4, row: exportRow(3, { email: 'ada@example.org', status: 'Waved through' }) };
  expect(await dropCorrected(odd)).toEqual(['invalid status-unknown']);
  const source = sourceOf({ status: { completed: ['waved through'] } });
  expect(await restage(ledger, 1, source)).toMatchObject({ open: 1, made: 1 });
  expect((await at(1, 4)).record).toMatchObject({ 'user-id': 'ada@example.org' });
  expect(await imbalances(ledger)).toEqual([]);
});

it('a corrected file is read by its content, whatever its source declares about its exports', async () => {
  const source = sourceOf({ encoding: 'windows-1252', delimiter: ';' });
  const original = exportRow(60, { course: 'Größe', email: 'nobody' });
  await stageContent(ledger, Buffer.from(csvOf([original], DEFAULT_COLUMNS, ';'), 'latin1'), { source });
  const saved = `\ufeff${await correctedFileOf(ledger, 2, [{ of: 2, row: { ...original, email: 'ada@example.org' } }])}`;
  await stageSheets(ledger, saved, { source });
  expect(JSON.stringify((await at(2, 2)).record)).toContain('Größe');
});

it('the person who uploaded a corrected file made its decision, not the account that runs Registrar', async () => {
  const row = exportRow(60, { email: 'nobody' });
  await stageContent(ledger, csvOf([row]));
  const corrected = await correctedFileOf(ledger, 2, [{ of: 2, row: { ...row, email: 'ada@example.org' } }]);
  const sha256 = createHash('sha256').update(corrected).digest('hex');
  await recordEvent(
    ledger,
    'upload',
    { name: 'anna', door: 'console' },
    { source: 'academy', sha256, file_name: 'back.csv' },
  );
  await stageSheets(ledger, corrected);
  const decision = ledger.db.selectFrom('decision').select('who').orderBy('decision_id', 'desc');
  expect(await decision.executeTakeFirst()).toEqual({ who: 'anna' });
});

it('later files are compared with the header of the last export, not with that of a corrected file', async () => {
  const columns = { ...DEFAULT_COLUMNS, email: 'Work email' };
  await stageContent(ledger, csvOf([exportRow(50)], columns), { confirmedBy: decider('somebody') });
  await stageSheets(ledger, await correctedFileOf(ledger, 1, [{ of: 2, row: exportRow(9) }]));
  expect(await refusalOf(csvOf([exportRow(51)]))).toContain('came from "Work email"');
  expect(await refusalOf(csvOf([exportRow(51)], columns))).toBe('published');
});

it('a dry run of a correction predicts staging, the books balance, and a second correction changes nothing', async () => {
  const values = fc.record({
    email: fc.constantFrom('learner1@example.org', 'ada@example.org', 'nobody', ''),
    course: fc.constantFrom('COURSE-1', 'COURSE-2'),
    score: fc.constantFrom(21, 99, null),
    status: fc.constantFrom('Completed', 'Not started', 'odd'),
  });
  const rows = fc.array(fc.record({ of: fc.integer({ min: 1, max: 6 }), values }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (edits) => {
      const corrections = edits.map(({ of, values: row }) => ({ of, row: exportRow(1, row) }));
      const content = await correctedFileOf(ledger, 1, [...corrections, { of: 3, row: exportRow(2) }]);
      await returned(content, 0);
      const before = await states();
      // A space at the end of a line: other bytes.
      await returned(content.replace(/\n$/, ' \n'), 0);
      expect(await states()).toEqual(before);
    }),
    { numRuns: samples(40) },
  );
});

it('rows of a file with titles above its header are read by what its columns prove below that', async () => {
  const own = testLedger(systemClock());
  const titles = 'Courses of the academy,,,,\n,,,,\nSince,,31.12.2023,,\n';
  await stageContent(own, `${titles}${csvOf(ROWS)}`);
  await stageSheets(own, await correctedFileOf(own, 1, [{ of: 7, row: exportRow(3) }]));
  const { config } = actionContext(own, { sources: [sourceOf()] });
  const { rows } = await trace(
    own,
    config,
    { what: '1:7', learners: [], searchAll: false },
    Number.POSITIVE_INFINITY,
  );
  expect(rows.map(({ settings }) => settings)).toEqual(['same']);
});
