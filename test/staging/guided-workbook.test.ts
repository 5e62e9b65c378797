import { beforeEach, describe, expect, it } from 'vitest';
import { dropMark } from '../../src/domain/attention-columns.js';
import { systemClock } from '../../src/domain/clock.js';
import { openDecision } from '../../src/ledger/decision-log.js';
import { imbalances } from '../../src/ledger/imbalances.js';
import { keyMaker } from '../../src/ledger/keys.js';
import type { Ledger } from '../../src/ledger/query.js';
import { keptRows } from '../../src/ledger/row-blocks.js';
import { workbookOf } from '../support/attention-file.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, USUAL_COLUMNS } from '../support/exports.js';
import { testLedger } from '../support/staged-ledger.js';
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
  await stageContent(ledger, csvOf([exportRow(1), exportRow(2, { email: 'nobody' })]));
  await stageContent(ledger, csvOf([exportRow(3), exportRow(4, { email: 'no one' })]));
  const rows = csvOf([exportRow(5), exportRow(6, { email: 'none' })], CAMPUS_COLUMNS);
  await stageContent(ledger, rows, { source: CAMPUS });
});

function markOf(dropId: number): string {
  const sha256 = ledger.sqlite.prepare('select sha256 from "drop" where drop_id = ?').pluck().get(dropId);
  return dropMark(dropId, String(sha256));
}

/** A row of the sheet of rows to correct, for line 3 of a drop. */
function line(dropId: number, n: number, email = `learner${n}@example.org`, mark = markOf(dropId)): string[] {
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

const drops = () =>
  ledger.sqlite
    .prepare(
      `select drop_id, source, part, state, rows_read, staged, skipped, invalid from "drop" where drop_id > 3`,
    )
    .raw()
    .all();

const open = () =>
  ledger.sqlite
    .prepare(
      `select drop_id from row r where disposition = 'invalid' and not exists (
        select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line) order by 1`,
    )
    .pluck()
    .all();

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
    expect(drops()).toEqual([
      [4, 'academy', 'Correct academy', 'published', 3, 2, 0, 0],
      [5, 'campus', 'Correct campus', 'published', 2, 1, 0, 0],
    ]);
    expect(open()).toEqual([]);
    expect(imbalances(ledger)).toEqual([]);
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
    expect(open()).toEqual([1, 2]);
  });

  it('counts rows of another file’s sheet as invalid where they can’t stand, and loses none', async () => {
    const strange = line(1, 9, 'x@example.org', '77-0123456789ab');
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(3, 6), strange, line(2, 4, 'ada@example.org', '')),
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toMatchObject([
      { kind: 'published', dispositions: { staged: 1, invalid: 3, 'non-data': 1 } },
    ]);
    const issues = ledger.sqlite
      .prepare('select message from issue where drop_id = 4 and line > 1')
      .pluck()
      .all();
    expect(issues).toEqual([
      expect.stringContaining('is of source campus'),
      expect.stringContaining('is no drop of this ledger'),
      '_drop is empty',
    ]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('takes in the corrected rows of a sheet under which the learners were pasted, and tells those', async () => {
    const learners = [
      ['Learner', 'Right address', '_learner'],
      ['learner1@example.org', 'ada@example.org', '0'.repeat(32)],
    ];
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(line(1, 2), ...learners) }), {
      sources: SOURCES,
    });
    expect(drops()).toEqual([[4, 'academy', '', 'published', 4, 1, 0, 2]]);
    expect(open()).toEqual([2, 3, 4, 4]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('reads each row by what the columns of its own file proved', async () => {
    const dayFirst = { at: '25/12/2024 10:00' };
    const monthFirst = { at: '12/25/2024 10:00' };
    const odd = (n: number) => exportRow(n, { email: 'nobody', at: '03/04/2024 10:00' });
    await stageContent(ledger, csvOf([exportRow(10, dayFirst), odd(11)]));
    await stageContent(ledger, csvOf([exportRow(12, monthFirst), odd(13)]));
    const rows = [line(4, 11), line(5, 13)].map((cells) => cells.with(4, '03/04/2024 10:00'));
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(...rows) }), { sources: SOURCES });
    const times = `select record ->> '$.completed-at' from submission where drop_id = 6 order by line`;
    expect(ledger.sqlite.prepare(times).pluck().all()).toEqual([
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

  const mapped = () =>
    ledger.sqlite.prepare('select old_identifier, new_identifier from correction order by 1').raw().all();

  it('are recorded as decisions, and the learner’s rows wait under them', async () => {
    expect(await give(asked(UNKNOWN, ' Ada@Example.org '), asked('learner3@example.org', ''))).toMatchObject([
      { kind: 'published', dispositions: { skipped: 2, 'non-data': 1, invalid: 0 } },
    ]);
    expect(mapped()).toEqual([[UNKNOWN, 'ada@example.org']]);
    expect(ledger.sqlite.prepare('select kind, who, because from decision').raw().all()).toEqual([
      ['map', 'somebody', 'drop.csv'],
    ]);
    const rows = `select state, record ->> '$.user-id' from submission where drop_id = 1 order by submission_id`;
    expect(ledger.sqlite.prepare(rows).raw().all()).toEqual([
      ['replaced', UNKNOWN],
      ['waiting', 'ada@example.org'],
    ]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('come with corrected rows in one workbook', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2, UNKNOWN)),
      Learners: [LEARNERS, asked(UNKNOWN, 'ada@example.org')],
    });
    expect(await stageSheets(ledger, content, { sources: SOURCES })).toHaveLength(2);
    const waiting = `select record ->> '$.user-id' from submission where state = 'waiting' and drop_id in (1, 4)`;
    expect(ledger.sqlite.prepare(waiting).pluck().all()).toEqual(['ada@example.org', 'ada@example.org']);
    expect(open()).toEqual([2, 3]);
  });

  it.each<[string, string, string, string]>([
    ['that is none', UNKNOWN, 'ada at example.org', 'email-invalid'],
    ['that is the unknown one', UNKNOWN, UNKNOWN, 'identifier-invalid'],
    ['for a learner whom nobody knows', 'x@example.org', 'ada@example.org', 'original-unknown'],
  ])('%s is an invalid row with its reason, and stops no other', async (_, learner, address, code) => {
    await give(asked(learner, address), asked('learner3@example.org', 'bob@example.org'));
    expect(
      ledger.sqlite.prepare('select line, code from issue where drop_id = 4 order by 1').raw().all(),
    ).toEqual([
      [1, 'row-preamble'],
      [2, code],
      [3, 'learner-mapped'],
    ]);
    expect(mapped()).toEqual([['learner3@example.org', 'bob@example.org']]);
  });

  it('given twice and differently for one learner are taken for neither', async () => {
    await give(asked(UNKNOWN, 'ada@example.org'), asked(UNKNOWN, 'bob@example.org'));
    expect(mapped()).toEqual([]);
    expect(open()).toEqual([1, 2, 3, 4, 4]);
  });

  it('whose marks were sorted apart from their learners are taken for nobody', async () => {
    const [first, second] = [hashOf(UNKNOWN), hashOf('learner3@example.org')];
    await give(
      asked(UNKNOWN, 'ada@example.org', second),
      asked('learner3@example.org', 'bob@example.org', first),
    );
    expect(mapped()).toEqual([]);
    expect(open()).toEqual([1, 2, 3, 4, 4]);
    await give(
      asked(` ${UNKNOWN.toUpperCase()}`, 'ada@example.org', first),
      asked('', 'bob@example.org', second),
    );
    expect(mapped().length).toBe(2);
    expect(open()).toEqual([1, 2, 3]);
  });

  it('in a circle are taken but for the one that closes it', async () => {
    await give(asked(UNKNOWN, 'learner3@example.org'), asked('learner3@example.org', UNKNOWN));
    expect(mapped()).toEqual([[UNKNOWN, 'learner3@example.org']]);
    expect(open()).toEqual([1, 2, 3, 4]);
  });

  it('given rightly at last close the rows in which they were given wrongly', async () => {
    await give(asked(UNKNOWN, 'ada at example.org'));
    expect(open()).toEqual([1, 2, 3, 4]);
    await give(asked(UNKNOWN, 'ada@example.org'));
    expect(open()).toEqual([1, 2, 3]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('that another person near them has are not kept with the sheet', async () => {
    await give(asked(UNKNOWN, 'ada@example.org'));
    const kept = [...keptRows(ledger, 4)].map(({ cells }) => cells);
    expect(JSON.stringify(kept)).not.toContain('near@example.org');
    expect(JSON.stringify(kept)).toContain('ada@example.org');
  });

  it('of somebody who was forgotten are not kept and not recorded', async () => {
    const decisionId = openDecision(ledger, {
      kind: 'forget',
      who: decider('x'),
      because: null,
      selection: {},
    });
    ledger.sqlite
      .prepare('insert into suppression values (unhex(?), ?)')
      .run(hashOf('ada@example.org'), decisionId);
    await give(asked(UNKNOWN, 'ada@example.org'));
    expect(mapped()).toEqual([]);
    expect(JSON.stringify([...keptRows(ledger, 4)])).not.toContain('ada@');
  });

  it('that a crash left unrecorded after publishing are recorded when the file is found again', async () => {
    const content = await sheets({ Learners: [LEARNERS, asked(UNKNOWN, 'ada@example.org')] });
    const broken = stageSheets(ledger, content, {
      sources: SOURCES,
      mapLearner: () => Promise.reject(new Error('crash')),
    });
    await expect(broken).rejects.toThrow('crash');
    expect(mapped()).toEqual([]);
    ledger.sqlite.prepare(`update run set ended_at = started_at, end = 'died'`).run();
    expect(await stageSheets(ledger, content, { sources: SOURCES, isLeft: true })).toMatchObject([
      { kind: 'published', dropId: 4 },
    ]);
    expect(mapped()).toEqual([[UNKNOWN, 'ada@example.org']]);
  });
});
