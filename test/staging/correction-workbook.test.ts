import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { finishDecisions } from '../../src/actions/decision/finish.js';
import { systemClock } from '../../src/domain/clock.js';
import { dropMark } from '../../src/domain/files/attention-columns.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { issuesOfCorrection, outcomesOf } from '../../src/ledger/decisions/corrected-rows.js';
import { corrections } from '../../src/ledger/decisions/known-learners.js';
import { refusedDrops } from '../../src/ledger/drops/refused/refused-drops.js';
import { openCorrection } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';
import { actionContext } from '../support/action-context.js';
import { workbookOf } from '../support/attention-file.js';
import { csvOf, DEFAULT_COLUMNS, exportRow } from '../support/exports.js';
import { forget } from '../support/forget.js';
import { decisions, lives, openRows } from '../support/ledger-trace.js';
import { preparedLedgers } from '../support/staged-ledger.js';
import { sourceOf, stageContent, stageSheets } from './staging-bench.js';

const CAMPUS_COLUMNS = { ...DEFAULT_COLUMNS, email: 'Work email' };
const CAMPUS = sourceOf({ name: 'campus' });
const SOURCES = [sourceOf(), CAMPUS];
const HEADER = ['What is wrong', 'What to do', 'Email', 'Course ID', 'Completed on', 'Score', 'Status'];
const GUIDE = [['Run 1'], ['Who', 'How many', 'Sheet', 'What to do']];

/** Drops 1 and 2 of academy and 3 of campus, each with one row whose address is none in line 3. */
const prepared = preparedLedgers(async (ledger) => {
  await stageMarked(ledger, csvOf([exportRow(1), exportRow(2, { email: 'nobody' })]));
  await stageMarked(ledger, csvOf([exportRow(3), exportRow(4, { email: 'no one' })]));
  await stageMarked(ledger, csvOf([exportRow(5), exportRow(6, { email: 'none' })], CAMPUS_COLUMNS), CAMPUS);
}, systemClock);

let ledger: Ledger;
beforeEach(async () => {
  ledger = await prepared();
});

/** What a row's `_drop` says of each drop. */
const marks = new Map<number, string>();

async function stageMarked(ledger: Ledger, content: string, source = sourceOf()): Promise<void> {
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

function sheets(sheetLines: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<Buffer> {
  return workbookOf({ 'What to do': GUIDE, ...sheetLines });
}

const academy = (...rows: readonly (readonly string[])[]) => [[...HEADER, '_row', '_drop'], ...rows];
const campus = (...rows: readonly (readonly string[])[]) => [
  [...HEADER.map((name) => (name === 'Email' ? 'Work email' : name)), '_row', '_drop'],
  ...rows,
];

/** The outcome of a decision's files, and their issues. */
const decided = async (decisionId: number) => {
  const { made, invalid } = await outcomesOf(ledger, decisionId);
  const issues = await issuesOfCorrection(ledger, decisionId);
  return { made, invalid, left: issues.map(({ sheet, line, code }) => [sheet, line, code]) };
};

/** The drops of the rows that are still open. */
const open = async () => (await openRows(ledger)).map(({ dropId }) => dropId);

describe('a workbook with corrections of several files', () => {
  it('put into one inbox closes the rows of each file and source by one decision', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(2, 4)),
      'Correct campus': campus(line(3, 6)),
    });
    expect(await stageSheets(ledger, content, { allSources: SOURCES })).toMatchObject([
      { kind: 'corrected', decisionId: 1, isRepeat: false },
    ]);
    expect(await decided(1)).toEqual({ made: 3, invalid: 0, left: [] });
    expect(await open()).toEqual([]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('stages nothing when the same bytes come again, in any inbox', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(2, 4)),
      'Correct campus': campus(line(3, 6)),
    });
    await stageSheets(ledger, content, { allSources: SOURCES });
    expect(await stageSheets(ledger, content, { source: CAMPUS, allSources: SOURCES })).toMatchObject([
      { kind: 'corrected', decisionId: 1, isRepeat: true },
    ]);
  });

  it('whose one sheet has lost its columns imports the others', async () => {
    const [header = [], ...rows] = academy(line(1, 2));
    const content = await sheets({
      'Correct academy': [header.map((name) => (name === 'Email' ? 'Mail' : name)), ...rows],
      'Correct campus': campus(line(3, 6)),
    });
    expect(await stageSheets(ledger, content, { allSources: SOURCES })).toMatchObject([
      { kind: 'corrected' },
      { kind: 'refused', sentence: expect.stringContaining('missing: "Email"') },
    ]);
    expect(await open()).toEqual([1, 2]);
  });

  it('leaves rows of another file’s sheet where they don’t belong, says so, and loses none', async () => {
    const strange = line(1, 9, 'x@example.org', '77-0123456789ab');
    const content = await sheets({
      'Correct academy': academy(line(1, 2), line(3, 6), strange, line(2, 4, 'ada@example.org', '')),
    });
    expect(await stageSheets(ledger, content, { allSources: SOURCES })).toMatchObject([
      { kind: 'corrected' },
      { kind: 'refused' },
    ]);
    const issues = await issuesOfCorrection(ledger, 1);
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('another source or other columns'),
      expect.stringContaining('is not a drop of this ledger'),
      '_drop "" is not a drop of this ledger',
    ]);
    expect(await open()).toEqual([2, 3]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('takes the corrected rows of a sheet under which the learners were pasted, and reports the learners', async () => {
    const learners = [
      ['Learner', 'Right address', '_learner'],
      ['learner1@example.org', 'ada@example.org', '0'.repeat(16)],
    ];
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(line(1, 2), ...learners) }), {
      allSources: SOURCES,
    });
    const place = (at: number) => ['Correct academy', at, 'original-unknown'];
    expect(await decided(1)).toEqual({ made: 1, invalid: 0, left: [place(3), place(4)] });
    expect(await open()).toEqual([2, 3]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('reads each row by what the columns of its own file proved', async () => {
    const dayFirst = { at: '25/12/2024 10:00' };
    const monthFirst = { at: '12/25/2024 10:00' };
    const odd = (n: number) => exportRow(n, { email: 'nobody', at: '03/04/2024 10:00' });
    await stageMarked(ledger, csvOf([exportRow(10, dayFirst), odd(11)]));
    await stageMarked(ledger, csvOf([exportRow(12, monthFirst), odd(13)]));
    const rows = [line(4, 11), line(5, 13)].map((cells) => cells.with(4, '03/04/2024 10:00'));
    await stageSheets(ledger, await sheets({ 'Correct academy': academy(...rows) }), { allSources: SOURCES });
    const times = (await lives(ledger)).filter(({ madeBy }) => madeBy !== null);
    expect(times.map(({ record }) => record?.['completed-at'])).toEqual([
      '2024-04-03T08:00:00.000Z',
      '2024-03-04T09:00:00.000Z',
    ]);
  });
});

describe('the right addresses of learners', () => {
  const LEARNERS = ['Learner', 'Similar learners', 'Right address', '_learner'];
  const UNKNOWN = 'learner1@example.org';
  const hashOf = (email: string) => keyMaker(ledger.salt).learner('Email', email);
  const learnerLine = (email: string, address: string, mark = hashOf(email)) => [
    email,
    'near@example.org',
    address,
    mark,
  ];

  const give = async (...rows: readonly (readonly string[])[]) =>
    stageSheets(ledger, await sheets({ Learners: [LEARNERS, ...rows] }), { allSources: SOURCES });

  const mapped = async () => (await corrections(ledger)).map(({ old, now }) => [old.id, now.id]);

  it('are recorded as decisions, and the learner’s rows wait under them', async () => {
    expect(
      await give(learnerLine(UNKNOWN, ' Ada@Example.org '), learnerLine('learner3@example.org', '')),
    ).toMatchObject([{ kind: 'corrected', decisionId: 1 }]);
    expect(await decided(1)).toEqual({ made: 0, invalid: 0, left: [] });
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
    expect((await decisions(ledger)).map(({ kind }) => kind)).toEqual(['correct', 'map']);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('come with corrected rows in one workbook', async () => {
    const content = await sheets({
      'Correct academy': academy(line(1, 2, UNKNOWN)),
      Learners: [LEARNERS, learnerLine(UNKNOWN, 'ada@example.org')],
    });
    expect(await stageSheets(ledger, content, { allSources: SOURCES })).toHaveLength(1);
    const waiting = (await lives(ledger)).filter(
      ({ state, drop: dropId }) => state === 'waiting' && dropId === 1,
    );
    expect(waiting.map(({ record }) => record?.['user-id'])).toEqual(['ada@example.org', 'ada@example.org']);
    expect(await open()).toEqual([2, 3]);
  });

  it.each<[string, string, string, string]>([
    ['that is invalid', UNKNOWN, 'ada at example.org', 'email-invalid'],
    ['that is the unknown one', UNKNOWN, UNKNOWN, 'identifier-invalid'],
    ['for an unknown learner', 'x@example.org', 'ada@example.org', 'original-unknown'],
  ])('%s is left with its reason, and stops no other', async (_, learner, address, code) => {
    await give(learnerLine(learner, address), learnerLine('learner3@example.org', 'bob@example.org'));
    expect((await decided(1)).left).toEqual([['Learners', 2, code]]);
    expect(await refusedDrops(ledger)).toMatchObject([{ code }]);
    expect(await mapped()).toEqual([['learner3@example.org', 'bob@example.org']]);
  });

  it('given twice and differently for one learner are taken for neither', async () => {
    await give(learnerLine(UNKNOWN, 'ada@example.org'), learnerLine(UNKNOWN, 'bob@example.org'));
    expect(await mapped()).toEqual([]);
    expect((await decided(1)).left).toHaveLength(2);
  });

  it('whose marks were sorted apart from their learners count for no learner', async () => {
    const [first, second] = [hashOf(UNKNOWN), hashOf('learner3@example.org')];
    await give(
      learnerLine(UNKNOWN, 'ada@example.org', second),
      learnerLine('learner3@example.org', 'bob@example.org', first),
    );
    expect(await mapped()).toEqual([]);
    expect((await decided(1)).left).toHaveLength(2);
    await give(
      learnerLine(` ${UNKNOWN.toUpperCase()}`, 'ada@example.org', first),
      learnerLine('', 'bob@example.org', second),
    );
    expect(await mapped()).toHaveLength(2);
    expect(await refusedDrops(ledger)).toEqual([]);
  });

  it('in a circle are taken but for the one that closes it', async () => {
    await give(learnerLine(UNKNOWN, 'learner3@example.org'), learnerLine('learner3@example.org', UNKNOWN));
    expect(await mapped()).toEqual([[UNKNOWN, 'learner3@example.org']]);
    expect((await decided(1)).left).toEqual([['Learners', 3, 'identifier-invalid']]);
  });

  it('given rightly at last close the file in which they were given wrongly', async () => {
    await give(learnerLine(UNKNOWN, 'ada at example.org'));
    expect(await refusedDrops(ledger)).toHaveLength(1);
    await give(learnerLine(UNKNOWN, 'ada@example.org'));
    expect(await refusedDrops(ledger)).toEqual([]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('of a forgotten person are not kept and not recorded', async () => {
    await forget(ledger, 'ada@example.org');
    await give(learnerLine(UNKNOWN, 'ada@example.org'));
    expect(await mapped()).toEqual([]);
    expect(JSON.stringify(await issuesOfCorrection(ledger, 2))).not.toContain('ada@');
  });

  it('that a crash left recorded and not carried out are carried out by the next process', async () => {
    const content = await sheets({ Learners: [LEARNERS, learnerLine(UNKNOWN, 'ada@example.org')] });
    const broken = stageSheets(ledger, content, {
      allSources: SOURCES,
      correct: async (correction) => {
        await openCorrection(ledger, correction);
        throw new Error('crash');
      },
    });
    await expect(broken).rejects.toThrow('crash');
    const waiting = async () => (await lives(ledger)).filter(({ madeBy }) => madeBy !== null);
    expect(await waiting()).toEqual([]);
    expect(await finishDecisions(actionContext(ledger, { sources: SOURCES }), null)).toEqual([]);
    expect(await waiting()).toMatchObject([
      { record: { 'user-id': 'ada@example.org' }, madeBy: { kind: 'map' } },
    ]);
    expect(await stageSheets(ledger, content, { allSources: SOURCES, isResumed: true })).toMatchObject([
      { kind: 'corrected', decisionId: 1 },
    ]);
    expect(await decisions(ledger)).toHaveLength(2);
  });
});
