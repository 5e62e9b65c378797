import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { openDecision } from '../../src/ledger/decision-log.js';
import { imbalances } from '../../src/ledger/imbalances.js';
import { keyMaker } from '../../src/ledger/keys.js';
import { releaseLease } from '../../src/ledger/leases.js';
import type { Ledger } from '../../src/ledger/query.js';
import { keptRows } from '../../src/ledger/row-blocks.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { csvOf, type ExportRow, exportRow, USUAL_COLUMNS } from '../support/exports.js';
import { type RedropRow, redropOf } from '../support/redrop-of.js';
import { restage } from '../support/restage.js';
import { select } from '../support/select.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  testLedger,
} from '../support/staged-ledger.js';
import { checkContent, sourceOf, stageContent, stageFirstBatch } from './staging-bench.js';

const BAD = exportRow(3, { email: 'nobody' });
const ROWS = [exportRow(1), exportRow(2), BAD];

/** Drop 1: lines 2 and 3 refused by the platform, line 4 no record. */
let ledger: Ledger;
beforeEach(async () => {
  ledger = testLedger(systemClock());
  await stageContent(ledger, csvOf(ROWS));
  const lease = mustLease(ledger, 'push:main');
  deliverNext(ledger, lease, 1, REJECTED);
  deliverNext(ledger, lease, 1, REJECTED);
  releaseLease(ledger, lease);
});

async function redrop(...rows: readonly RedropRow[]): Promise<string[]> {
  const content = redropOf(ledger, 1, rows);
  const checked = await checkContent(ledger, content);
  const staged = await stageContent(ledger, content);
  if (staged.kind !== 'published') throw new Error(`it was ${staged.kind}`);
  expect(checked.dispositions).toEqual(staged.dispositions);
  expect(imbalances(ledger)).toEqual([]);
  return rowsOf(staged.dropId);
}

/** What staging made of each row of a drop, and why; the header left out. */
function rowsOf(dropId: number): string[] {
  return ledger.sqlite
    .prepare(
      `select concat_ws(' ', disposition, (select group_concat(code, ' ') from issue i
         where i.drop_id = r.drop_id and i.line = r.line))
       from drop_row r where drop_id = ? and line > 1 order by line`,
    )
    .pluck()
    .all(dropId) as string[];
}

async function refusalOf(content: string, source = sourceOf()): Promise<string> {
  const result = await stageContent(ledger, content, { source });
  return result.kind === 'refused' ? result.sentence : result.kind;
}

/** Every submission's state, by the row it was made from. */
function states(): unknown[] {
  const sql = 'select state from submission order by drop_id, line, submission_id';
  return ledger.sqlite.prepare(sql).pluck().all();
}

/** The latest submission that was made from a row. */
function at(dropId: number, line: number): Record<string, unknown> & { submission_id: number } {
  const sql = 'select * from submission where drop_id = ? and line = ? order by submission_id desc';
  return ledger.sqlite.prepare(sql).get(dropId, line) as ReturnType<typeof at>;
}

const resolutions = () =>
  ledger.sqlite
    .prepare('select drop_id, line, submission_id, successor_drop_id from resolution order by drop_id, line')
    .raw()
    .all();

describe('what a corrected row is', () => {
  it('with another key: staged, and its original replaced by it', async () => {
    expect(await redrop({ of: 2, row: exportRow(1, { email: 'ada@example.org' }) })).toEqual(['staged']);
    expect(states()).toEqual(['replaced', 'rejected', 'waiting']);
    expect(at(1, 2)).toMatchObject({ successor_id: at(2, 2).submission_id });
  });

  it('with a key that is known: a duplicate, and its original replaced by what it repeats', async () => {
    await stageContent(ledger, csvOf([exportRow(9)]));
    expect(await redrop({ of: 2, row: exportRow(9) })).toEqual(['duplicate']);
    expect(states()).toEqual(['replaced', 'rejected', 'waiting']);
    expect(at(1, 2)).toMatchObject({ successor_id: at(2, 2).submission_id });
  });

  it('with the same key and other content: amended, and its original replaced by it', async () => {
    expect(await redrop({ of: 2, row: exportRow(1, { score: 99 }) })).toEqual(['amended']);
    expect(states()).toEqual(['replaced', 'rejected', 'waiting']);
  });

  it('as it was: a duplicate of its original, which is sent again, once by each file', async () => {
    expect(await redrop({ of: 2, row: exportRow(1) })).toEqual(['duplicate']);
    expect(states()).toEqual(['waiting', 'rejected']);
    expect(at(1, 2)).toMatchObject({ pass: 'all', priority: 1, tries: 0 });
    expect(ledger.sqlite.prepare('select kind, who, because, selection from decision').raw().all()).toEqual([
      ['correct', 'somebody', 'drop.csv', '{"drop":2}'],
    ]);
  });

  it('that was no record and is one: staged, and the invalid row resolved by it', async () => {
    expect(await redrop({ of: 4, row: exportRow(3) })).toEqual(['staged']);
    expect(resolutions()).toEqual([[1, 4, at(2, 2).submission_id, null]]);
  });

  it('that was no record and still is none: invalid in its place; as it was, skipped', async () => {
    expect(await redrop({ of: 4, row: BAD })).toEqual(['skipped not-corrected']);
    expect(resolutions()).toEqual([]);
    expect(await redrop({ of: 4, row: { ...BAD, email: 'no one' } })).toEqual(['invalid email-invalid']);
    expect(resolutions()).toEqual([[1, 4, null, 3]]);
  });

  it('that says not to deliver it: skipped, and the invalid row resolved by that', async () => {
    expect(await redrop({ of: 4, row: { ...BAD, status: 'Not started' } })).toEqual([
      'skipped status-not-completed',
    ]);
    expect(resolutions()).toEqual([[1, 4, null, 2]]);
  });

  it('that is no record any more: invalid, and the submission left where it is', async () => {
    expect(await redrop({ of: 2, row: exportRow(1, { email: '' }) })).toEqual(['invalid value-missing']);
    expect(states()).toEqual(['rejected', 'rejected']);
  });

  it('that was emptied: skipped, and its original left open', async () => {
    const nothing = { email: '', course: '', at: '', score: null, status: '' };
    expect(await redrop({ of: 2, row: nothing }, { of: 4, row: nothing })).toEqual([
      'skipped not-corrected',
      'skipped not-corrected',
    ]);
    expect(states()).toEqual(['rejected', 'rejected']);
    expect(resolutions()).toEqual([]);
  });

  it('like another one of the file: a duplicate of it, which replaces both originals', async () => {
    const same = exportRow(7);
    expect(await redrop({ of: 2, row: same }, { of: 3, row: same })).toEqual(['staged', 'duplicate']);
    expect([2, 3].map((line) => at(1, line).successor_id)).toEqual([
      at(2, 2).submission_id,
      at(2, 2).submission_id,
    ]);
  });

  it('corrected back: a new revision of what was replaced', async () => {
    const row = exportRow(1, { email: 'ada@example.org' });
    await redrop({ of: 2, row });
    await stageContent(ledger, redropOf(ledger, 2, [{ of: 2, row: exportRow(1) }]));
    expect(rowsOf(3)).toEqual(['amended']);
    expect(states()).toEqual(['replaced', 'rejected', 'replaced', 'waiting']);
    expect(at(3, 2)).toMatchObject({ revision: 2 });
  });

  it('as it was, where another file has corrected it: a duplicate, which takes nothing back', async () => {
    await redrop({ of: 2, row: exportRow(1, { email: 'ada@example.org' }) }, { of: 4, row: exportRow(3) });
    const before = states();
    const asItWas = redropOf(ledger, 1, [{ of: 2, row: exportRow(1) }]);
    expect((await checkContent(ledger, asItWas)).redrop?.rows).toMatchObject([{ original: 'unchanged' }]);
    expect(await redrop({ of: 2, row: exportRow(1) }, { of: 4, row: BAD })).toEqual([
      'duplicate',
      'skipped not-corrected',
    ]);
    expect(states()).toEqual(before);
  });

  it('of a learner who was forgotten: skipped, and nothing of it is kept', async () => {
    forget(exportRow(5).email);
    expect(await redrop({ of: 2, row: exportRow(5) })).toEqual(['skipped learner-forgotten']);
    expect([...keptRows(ledger, 2)].map(({ line }) => line)).toEqual([1]);
    expect(states()).toEqual(['rejected', 'rejected']);
  });

  it('whose original was erased: skipped, and nothing of it is kept', async () => {
    ledger.sqlite.exec(
      `insert into decision (decision_id, kind, who, door, because, selection, made_at, finished_at) values (9, 'purge', 'x', 'inbox', null, '{}', '2024-01-01', null)`,
    );
    ledger.sqlite.exec('update row_block set cells = null');
    expect(await redrop({ of: 2, row: exportRow(5) })).toEqual(['skipped original-erased']);
    expect([...keptRows(ledger, 2)].map(({ line }) => line)).toEqual([1]);
  });

  it('is read by what the whole original column proved, corrected once or twice', async () => {
    const on = (text: string) => ({ at: text });
    const rows = [exportRow(20, on('13/01/2024 08:00')), { ...BAD, at: '02/01/2024 08:00' }];
    await stageContent(ledger, csvOf(rows));
    const wrong = exportRow(30, { at: '02/01/2024 08:00', email: 'no one' });
    await stageContent(ledger, redropOf(ledger, 2, [{ of: 3, row: wrong }]));
    expect(rowsOf(3)).toEqual(['invalid email-invalid']);
    const row = exportRow(30, on('02/01/2024 08:00'));
    await stageContent(ledger, redropOf(ledger, 3, [{ of: 2, row }]));
    expect(rowsOf(4)).toEqual(['staged']);
    expect(at(4, 2).occurred_at).toBe('2024-01-02T07:00:00.000Z');
  });

  it('is read for itself, even below what looks like the header of another table', async () => {
    const words = exportRow(0, {
      email: 'Work email',
      course: 'Course code',
      at: 'Finished',
      status: 'Result',
    });
    await stageContent(ledger, csvOf([exportRow(20), { ...words, score: null }, BAD]));
    const content = redropOf(ledger, 2, [
      { of: 3, row: { ...words, score: null } },
      { of: 4, row: exportRow(30) },
    ]);
    await stageContent(ledger, content);
    expect(rowsOf(3)).toEqual(['skipped not-corrected', 'staged']);
  });
});

describe('a corrected row comes too late', () => {
  it.each<[string, () => void]>([
    ['accepted', () => deliver()],
    ['dismissed', () => dismiss()],
    ['being sent', () => claimNext(ledger, rerun(), 1)],
  ])(
    'when its original is %s: what it changes is not taken, and what it repeats is a duplicate',
    async (_, meanwhile) => {
      meanwhile();
      const before = states();
      expect(await redrop({ of: 2, row: exportRow(1) })).toEqual(['duplicate']);
      expect(await redrop({ of: 2, row: exportRow(1, { score: 99 }) })).toEqual(['skipped original-closed']);
      expect(await redrop({ of: 2, row: exportRow(1, { email: 'x' }) })).toEqual(['skipped original-closed']);
      expect(states()).toEqual(before);
    },
  );

  it('when it was corrected meanwhile, even where that was refused in turn', async () => {
    const row = exportRow(1, { email: 'ada@example.org' });
    await redrop({ of: 2, row });
    deliverNext(ledger, mustLease(ledger, 'push:main'), 1, ACCEPTED);
    expect(await redrop({ of: 2, row }, { of: 4, row: BAD })).toEqual(['duplicate', 'skipped not-corrected']);
    expect(await redrop({ of: 2, row: exportRow(8) })).toEqual(['skipped original-closed']);
  });

  function rerun() {
    const selected = select(ledger, { states: ['rejected'], submissionIds: [at(1, 2).submission_id] });
    decide(ledger, { kind: 'rerun', who: decider('x'), because: null, selection: {} }, selected, 1);
    return mustLease(ledger, 'push:main');
  }

  function deliver(): void {
    deliverNext(ledger, rerun(), 1, ACCEPTED);
  }

  function dismiss(): void {
    const selected = select(ledger, { states: ['rejected'], submissionIds: [at(1, 2).submission_id] });
    decide(ledger, { kind: 'dismiss', who: decider('x'), because: 'y', selection: {} }, selected, 1);
  }
});

describe('a row that cannot be placed is invalid', () => {
  it.each<[string, string, Partial<RedropRow>]>([
    ['without _row', 'original-unknown', { of: '' }],
    ['with words in _row', 'original-unknown', { of: 'two' }],
    ['with a line that the original has not', 'original-unknown', { of: 99 }],
    ['without _drop', 'original-unknown', { mark: '' }],
    ['with the mark of another drop', 'original-unknown', { mark: `7-${'0'.repeat(12)}` }],
  ])('%s', async (_, code, given) => {
    const good = { of: 3, row: exportRow(8) };
    expect(await redrop(good, { of: 2, row: exportRow(9), ...given })).toEqual(['staged', `invalid ${code}`]);
    expect(states()).toEqual(['rejected', 'replaced', 'waiting']);
  });

  it('when several stand for one original: all of them', async () => {
    const rows = [
      { of: 2, row: exportRow(8) },
      { of: 3, row: exportRow(2) },
      { of: 2, row: exportRow(9) },
    ];
    expect(await redrop(...rows)).toEqual([
      'invalid original-repeated',
      'duplicate',
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
    const content = redropOf(ledger, 2, [{ of: 2, row: { ...original, score: 1, ...saved } }]);
    await stageContent(ledger, content);
    expect(rowsOf(3)).toEqual([`invalid ${code}`]);
    expect(states().at(-1)).toBe('waiting');
  });
});

it('what was damaged is kept as it was, so that the attention file of the corrected drop mends it', async () => {
  const original = exportRow(40, { course: '007', email: 'nobody' });
  await stageContent(ledger, csvOf([original]));
  const saved = { ...original, course: '7', email: 'ada@example.org' };
  await stageContent(ledger, redropOf(ledger, 2, [{ of: 2, row: saved }]));
  expect([...keptRows(ledger, 3)].at(-1)?.cells.slice(0, 2)).toEqual(['ada@example.org', '007']);
  await stageContent(ledger, redropOf(ledger, 3, [{ of: 2, row: { ...saved, course: '007' } }]));
  expect(rowsOf(4)).toEqual(['staged']);
  expect(resolutions()).toEqual([
    [2, 2, null, 3],
    [3, 2, at(4, 2).submission_id, null],
  ]);
});

describe('a corrected file is set aside', () => {
  const row = { of: 2, row: exportRow(8) };

  it('when it is of no drop of this ledger, or nothing says of which', async () => {
    const mark = `1-${'0'.repeat(12)}`;
    expect(await refusalOf(redropOf(ledger, 1, [{ ...row, mark }]))).toContain(
      `drop ${mark}, which is not in this ledger`,
    );
    expect(await refusalOf(redropOf(ledger, 1, [{ ...row, mark: '' }]))).toContain(
      'no row below says in _drop',
    );
  });

  it('when it is of a drop of a source that is gone', async () => {
    const source = sourceOf({ name: 'campus' });
    expect(await refusalOf(redropOf(ledger, 1, [row]), source)).toContain(
      'Put the source back into registrar.yaml',
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
    expect(await refusalOf(redropOf(ledger, 1, [row], columns))).toContain(
      'missing: "Email"; not in the original: "E-Mail"',
    );
  });
});

it('a corrected drop whose invalid rows are restaged closes the originals as well', async () => {
  const odd = { of: 2, row: exportRow(1, { email: 'ada@example.org', status: 'Waved through' }) };
  expect(await redrop(odd)).toEqual(['invalid status-unknown']);
  const source = sourceOf({ status: { completed: ['waved through'] } });
  expect(await restage(ledger, 2, source)).toMatchObject({
    open: 1,
    made: 1,
  });
  expect(states()).toEqual(['replaced', 'rejected', 'waiting']);
  expect(imbalances(ledger)).toEqual([]);
});

it('a corrected file that was interrupted is gone on with after its last line', async () => {
  const rows = Array.from({ length: 2_500 }, (_, n) => exportRow(n + 100, { email: `nobody ${n}` }));
  await stageContent(ledger, csvOf(rows), { source: sourceOf({ invalid: { most: 100 } }) });
  const content = redropOf(
    ledger,
    2,
    rows.map((_, n) => ({ of: n + 2, row: exportRow(n + 100) })),
  );
  expect(await stageFirstBatch(ledger, content)).toEqual({ kind: 'interrupted' });
  expect(resolutions()).toEqual([]);
  const staged = await stageContent(ledger, content);
  expect(staged).toMatchObject({ dropId: 3, dispositions: { staged: 2_500, invalid: 0 } });
  expect(resolutions()).toHaveLength(2_500);
  expect(imbalances(ledger)).toEqual([]);
});

it('a corrected file is read as it shows itself, whatever its source declares of its exports', async () => {
  const source = sourceOf({ encoding: 'windows-1252', delimiter: ';' });
  const original = exportRow(60, { course: 'Größe', email: 'nobody' });
  await stageContent(ledger, Buffer.from(csvOf([original], USUAL_COLUMNS, ';'), 'latin1'), { source });
  const saved = `\ufeff${redropOf(ledger, 2, [{ of: 2, row: { ...original, email: 'ada@example.org' } }])}`;
  await stageContent(ledger, saved, { source });
  expect(rowsOf(3)).toEqual(['staged']);
  expect(String(at(3, 2).record)).toContain('Größe');
});

it('later files are compared with the header of the last export, not with that of a corrected file', async () => {
  const columns = { ...USUAL_COLUMNS, email: 'Work email' };
  await stageContent(ledger, csvOf([exportRow(50)], columns), { confirmedBy: decider('somebody') });
  await stageContent(ledger, redropOf(ledger, 1, [{ of: 2, row: exportRow(9) }]));
  expect(await refusalOf(csvOf([exportRow(51)]))).toContain('came from "Work email"');
  expect(await refusalOf(csvOf([exportRow(51)], columns))).toBe('published');
});

it('whatever is corrected, a dry run says what staging does, the books balance, and once more changes nothing', async () => {
  const values = fc.record({
    email: fc.constantFrom('learner1@example.org', 'ada@example.org', 'nobody', ''),
    course: fc.constantFrom('COURSE-1', 'COURSE-2'),
    score: fc.constantFrom(21, 99, null),
    status: fc.constantFrom('Completed', 'Not started', 'odd'),
  });
  const rows = fc.array(fc.record({ of: fc.integer({ min: 1, max: 6 }), values }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const corrections = given.map(({ of, values: row }) => ({ of, row: exportRow(1, row) }));
      const content = redropOf(ledger, 1, [...corrections, { of: 3, row: exportRow(2) }]);
      const checked = await checkContent(ledger, content);
      const staged = await stageContent(ledger, content);
      if (staged.kind !== 'published') return;
      expect(checked.dispositions).toEqual(staged.dispositions);
      expect(imbalances(ledger)).toEqual([]);
      const before = states();
      // A space at the end of a line: other bytes.
      const again = await stageContent(ledger, content.replace(/\n$/, ' \n'));
      if (again.kind === 'published') {
        expect(again.dispositions).toMatchObject({ staged: 0, amended: 0 });
        expect(states()).toEqual(before);
      }
    }),
    { numRuns: 40 },
  );
});

function forget(email: string): void {
  const decisionId = openDecision(ledger, {
    kind: 'forget',
    who: decider('x'),
    because: null,
    selection: {},
  });
  const learner = keyMaker(ledger.salt).learner('Email', email);
  ledger.sqlite.prepare('insert into suppression values (unhex(?), ?)').run(learner, decisionId);
}
