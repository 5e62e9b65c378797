import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { dropMark } from '../../src/domain/files/attention-columns.js';
import { collected } from '../../src/domain/process/in-turn.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { corrections } from '../../src/ledger/decisions/corrections.js';
import { keptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import { endRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/ledger/submissions/record/keys.js';
import { workbookOf } from '../support/attention-file.js';
import { csvOf, exportRow, USUAL_COLUMNS } from '../support/exports.js';
import { forget } from '../support/forget.js';
import { testLedger } from '../support/staged-ledger.js';
import { decisions, lives, openRows, rowsFrom } from '../support/told.js';
import { sourceOf, stageContent, stageSheets } from './staging-bench.js';

const CAMPUS_COLUMNS = { ...USUAL_COLUMNS, email: 'Work email' };
const CAMPUS = sourceOf({ name: 'campus' });
const SOURCES = [sourceOf(), CAMPUS];
const HEADER = ['What is wrong', 'What to do', 'Email', 'Course ID', 'Completed on', 'Score', 'Status'];
const GUIDE = [['Run 1'], ['Who', 'How many', 'Sheet', 'What to do']];

/** Drops 1 and 2 of academy and 3 of campus, each with one row whose address is none in line 3. */
let ledger: Ledger;
beforeEach(async () => {
  ledger = testLedger(systemClock());
  marks.clear();
  await stageMarked(csvOf([exportRow(1), exportRow(2, { email: 'nobody' })]));
  await stageMarked(csvOf([exportRow(3), exportRow(4, { email: 'no one' })]));
  await stageMarked(csvOf([exportRow(5), exportRow(6, { email: 'none' })], CAMPUS_COLUMNS), CAMPUS);
});

/** What a row's `_drop` says of each drop. */
const marks = new Map<number, string>();

async function stageMarked(content: string, source = sourceOf()): Promise<void> {
  const { dropId } = (await stageContent(ledger, content, { source })) as { dropId: number };
  marks.set(dropId, dropMark(dropId, hash('sha256', content, 'hex')));
}

/** A row of the sheet of rows to correct, for line 3 of a drop. */
function line(
  dropId: number,
  n: number,
  email = `learner${n}@example.org`,
  mark = marks.get(dropId) ?? '',
): string[] {
  const { course, at, score, status } = exportRow(n);
  return ['The address is none', 'Correct it', email, course, at, String(score), status, '3', mark];
}

function sheets(given: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<Buffer> {
  return workbookOf({ 'What to do': GUIDE, ...given });
}

const academy = (...rows: readonly (readonly string[])[]) => [[...HEADER, '_row', '_drop'], ...rows];
const campus = (...rows: readonly (readonly string[])[]) => [
  [...HEADER.map((name) => (name === 'Email' ? 'Work email' : name)), '_row', '_drop'],
  ...rows,
];

const drops = async () =>
  (await readBooks(ledger, {})).files
    .filter(({ drop }) => drop > 3)
    .map(({ source, file, rows: rowsRead, dispositions: { staged, skipped, invalid } }) => [
      source,
      file,
      rowsRead,
      { staged, skipped, invalid },
    ]);

/** The drops of the rows that are still open. */
const open = async () => (await openRows(ledger)).map(({ dropId }) => dropId);

describe('a workbook with corrections of several files', () => {
  it('put into one inbox closes the rows of each file and source, one drop for each sheet', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(2, 4)),
      'Correct campus': campus(line(3, 6)),
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toMatchObject([
      { kind: 'published', dropId: 4 },
      { kind: 'published', dropId: 5 },
    ]);
    expect(await drops()).toEqual([
      ['academy', 'drop.csv', 3, { staged: 2, skipped: 0, invalid: 0 }],
      ['campus', 'drop.csv', 2, { staged: 1, skipped: 0, invalid: 0 }],
    ]);
    expect(await open()).toEqual([]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('stages nothing when the same bytes come again, whichever inbox they lie in', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(2, 4)),
      'Correct campus': campus(line(3, 6)),
    });
    await stageSheets(ledger, content, { sources: SOURCES });
    expect(await stageSheets(ledger, content, { source: CAMPUS, sources: SOURCES })).toEqual([
      { kind: 'repeated', dropId: 4 },
      { kind: 'repeated', dropId: 5 },
    ]);
  });

  it('whose one sheet has lost its columns takes in the others', async () => {
    const [header = [], ...rows] = academy(line(1, 2));
    const content = await sheets({
      'Correct academy': [header.map((name) => (name === 'Email' ? 'Mail' : name)), ...rows],
      'Correct campus': campus(line(3, 6)),
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toMatchObject([
      { kind: 'refused', sentence: expect.stringContaining('missing: "Email"') },
      { kind: 'published' },
    ]);
    expect(await open()).toEqual([1, 2]);
  });

  it('counts rows of another file’s sheet as invalid where they can’t stand, and loses none', async () => {
    const strange = line(1, 9, 'x@example.org', '77-0123456789ab');
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(3, 6), strange, line(2, 4, 'ada@example.org', '')),
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toMatchObject([
      { kind: 'published', dispositions: { staged: 1, invalid: 3, 'non-data': 1 } },
    ]);
    const issues = (await rowsFrom(ledger, 4, 2)).flatMap((row) => row.issues);
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('is of source campus'),
      expect.stringContaining('is no drop of this ledger'),
      '_drop is empty',
    ]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('takes in the corrected rows of a sheet under which the learners were pasted, and reports the learners', async () => {
    const learners = [
      ['Learner', 'Right address', '_learner'],
      ['learner1@example.org', 'ada@example.org', '0'.repeat(16)],
    ];
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(line(1, 2), ...learners) }), {
      sources: SOURCES,
    });
    expect(await drops()).toEqual([['academy', 'drop.csv', 4, { staged: 1, skipped: 0, invalid: 2 }]]);
    expect(await open()).toEqual([2, 3, 4, 4]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('reads each row by what the columns of its own file proved', async () => {
    const dayFirst = { at: '25/12/2024 10:00' };
    const monthFirst = { at: '12/25/2024 10:00' };
    const odd = (n: number) => exportRow(n, { email: 'nobody', at: '03/04/2024 10:00' });
    await stageMarked(csvOf([exportRow(10, dayFirst), odd(11)]));
    await stageMarked(csvOf([exportRow(12, monthFirst), odd(13)]));
    const rows = [line(4, 11), line(5, 13)].map((cells) => cells.with(4, '03/04/2024 10:00'));
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(...rows) }), { sources: SOURCES });
    const times = (await lives(ledger)).filter(({ drop }) => drop === 6);
    expect(times.map(({ record }) => record?.['completed-at'])).toEqual([
      '2024-04-03T08:00:00.000Z',
      '2024-03-04T09:00:00.000Z',
    ]);
  });
});

describe('the right addresses of learners', () => {
  const LEARNERS = ['Learner', 'Known and near', 'Right address', '_learner'];
  const UNKNOWN = 'learner1@example.org';
  const hashOf = (email: string) => keyMaker(ledger.salt).learner('Email', email);
  const asked = (email: string, address: string, mark = hashOf(email)) => [
    email,
    'near@example.org',
    address,
    mark,
  ];

  const give = async (...rows: readonly (readonly string[])[]) =>
    stageSheets(ledger, await sheets({ Learners: [LEARNERS, ...rows] }), { sources: SOURCES });

  const mapped = async () => (await corrections(ledger)).map(({ old, now }) => [old.id, now.id]);

  it('are recorded as decisions, and the learner’s rows wait under them', async () => {
    expect(await give(asked(UNKNOWN, ' Ada@Example.org '), asked('learner3@example.org', ''))).toMatchObject([
      { kind: 'published', dispositions: { skipped: 2, 'non-data': 1, invalid: 0 } },
    ]);
    expect(await mapped()).toEqual([[UNKNOWN, 'ada@example.org']]);
    const rows = (await lives(ledger)).filter(({ drop }) => drop === 1);
    expect(rows).toMatchObject([
      { state: 'replaced', record: { 'user-id': UNKNOWN } },
      {
        state: 'waiting',
        record: { 'user-id': 'ada@example.org' },
        madeBy: { kind: 'map', who: 'somebody', because: 'drop.csv' },
      },
    ]);
    expect(await decisions(ledger)).toHaveLength(1);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('come with corrected rows in one workbook', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2, UNKNOWN)),
      Learners: [LEARNERS, asked(UNKNOWN, 'ada@example.org')],
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toHaveLength(2);
    const waiting = (await lives(ledger)).filter(
      ({ state, drop: dropId }) => state === 'waiting' && [1, 4].includes(dropId),
    );
    expect(waiting.map(({ record }) => record?.['user-id'])).toEqual(['ada@example.org', 'ada@example.org']);
    expect(await open()).toEqual([2, 3]);
  });

  it.each<[string, string, string, string]>([
    ['that is none', UNKNOWN, 'ada at example.org', 'email-invalid'],
    ['that is the unknown one', UNKNOWN, UNKNOWN, 'identifier-invalid'],
    ['for a learner whom nobody knows', 'x@example.org', 'ada@example.org', 'original-unknown'],
  ])('%s is an invalid row with its reason, and stops no other', async (_, learner, address, code) => {
    await give(asked(learner, address), asked('learner3@example.org', 'bob@example.org'));
    const issues = (await rowsFrom(ledger, 4, 1)).flatMap((row) =>
      row.issues.map((issue) => [row.line, issue.code]),
    );
    expect(issues).toEqual([
      [1, 'row-preamble'],
      [2, code],
      [3, 'learner-mapped'],
    ]);
    expect(await mapped()).toEqual([['learner3@example.org', 'bob@example.org']]);
  });

  it('given twice and differently for one learner are taken for neither', async () => {
    await give(asked(UNKNOWN, 'ada@example.org'), asked(UNKNOWN, 'bob@example.org'));
    expect(await mapped()).toEqual([]);
    expect(await open()).toEqual([1, 2, 3, 4, 4]);
  });

  it('whose marks were sorted apart from their learners count for no learner', async () => {
    const [first, second] = [hashOf(UNKNOWN), hashOf('learner3@example.org')];
    await give(
      asked(UNKNOWN, 'ada@example.org', second),
      asked('learner3@example.org', 'bob@example.org', first),
    );
    expect(await mapped()).toEqual([]);
    expect(await open()).toEqual([1, 2, 3, 4, 4]);
    await give(
      asked(` ${UNKNOWN.toUpperCase()}`, 'ada@example.org', first),
      asked('', 'bob@example.org', second),
    );
    expect(await mapped()).toHaveLength(2);
    expect(await open()).toEqual([1, 2, 3]);
  });

  it('in a circle are taken but for the one that closes it', async () => {
    await give(asked(UNKNOWN, 'learner3@example.org'), asked('learner3@example.org', UNKNOWN));
    expect(await mapped()).toEqual([[UNKNOWN, 'learner3@example.org']]);
    expect(await open()).toEqual([1, 2, 3, 4]);
  });

  it('given rightly at last close the rows in which they were given wrongly', async () => {
    await give(asked(UNKNOWN, 'ada at example.org'));
    expect(await open()).toEqual([1, 2, 3, 4]);
    await give(asked(UNKNOWN, 'ada@example.org'));
    expect(await open()).toEqual([1, 2, 3]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('that another person near them has are not kept with the sheet', async () => {
    await give(asked(UNKNOWN, 'ada@example.org'));
    const kept = (await collected(keptRows(ledger, 4))).map(({ cells }) => cells);
    expect(JSON.stringify(kept)).not.toContain('near@example.org');
    expect(JSON.stringify(kept)).toContain('ada@example.org');
  });

  it('of somebody who was forgotten are not kept and not recorded', async () => {
    await forget(ledger, 'ada@example.org');
    await give(asked(UNKNOWN, 'ada@example.org'));
    expect(await mapped()).toEqual([]);
    expect(JSON.stringify(await collected(keptRows(ledger, 4)))).not.toContain('ada@');
  });

  it('that a crash left unrecorded after publishing are recorded when the file is found again', async () => {
    const content = await sheets({ Learners: [LEARNERS, asked(UNKNOWN, 'ada@example.org')] });
    const broken = stageSheets(ledger, content, {
      sources: SOURCES,
      mapLearner: () => Promise.reject(new Error('crash')),
    });
    await expect(broken).rejects.toThrow('crash');
    expect(await mapped()).toEqual([]);
    await endRun(ledger, 4, 'died');
    expect(await stageSheets(ledger, content, { sources: SOURCES, isLeft: true })).toMatchObject([
      { kind: 'published', dropId: 4 },
    ]);
    expect(await mapped()).toEqual([[UNKNOWN, 'ada@example.org']]);
  });
});
