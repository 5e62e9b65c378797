import { describe, expect, it } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { findCorrectedFile, openCorrectedRows } from '../../src/ledger/decisions/corrected-rows.js';
import { closeDecision, readDecision } from '../../src/ledger/decisions/decision-log.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { restageFacts } from '../../src/ledger/drops/rows/kept-rows.js';
import { openCorrection } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { openRow, rereadPage } from '../../src/ledger/submissions/reread.js';
import { knownRecords } from '../../src/ledger/submissions/staging/revisions.js';
import { readTrace } from '../../src/ledger/trace/read-trace.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { decider } from '../support/decider.js';
import { preparedCompletion } from '../support/prepared-completion.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';

const FACTS = { who: decider('ada'), because: 'asked' };

/** Where the records go. */
const TARGET = { operation: submitCompletion, environment: 'main' };

/** The row in line 2 of a drop, as a trace has it. */
async function present(ledger: Ledger, dropId: number) {
  const { rows } = await readTrace(ledger, { what: `${dropId}:2`, learners: [], searchAll: false });
  return rows[0];
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a row comes with its last corrected cells and its open state, and null where no drop has such a row', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{ content: 'C-1' }]);
    const asRead = { dropId, line: 2, version: 0 };
    expect(await openRow(ledger, asRead)).toBeNull();
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    expect(await openRow(ledger, { ...asRead, line: 9 })).toBeNull();
    expect(await openRow(ledger, asRead)).toMatchObject({ cells: ['row 0'], open: [{ kind: 'submission' }] });
    expect(await openRow(ledger, { ...asRead, version: 3 })).toMatchObject({ cells: null });
  });

  it('a correction is recorded with its rows, its learners, its file and what of that is left, all at once', async () => {
    const { ledger } = await open();
    const dropId = await publishedDrop(ledger, 'a.csv', [{ content: 'C-1' }]);
    const mapping = { old: learner(ledger, 'jane@x.example'), now: learner(ledger, 'june@x.example') };
    const { runId, ...file } = await fileOf(ledger, 'back.csv');
    const arrival = { sha256: file.identity.sha256, fileName: 'back.csv', source: file.source, runId };
    const why = { code: 'original-unknown' as const, text: 'Line 3 names no row.' };
    const refusal = { drop: { ...file, runId, format: 'csv' as const }, why };
    const left = {
      code: why.code,
      column: '_row',
      value: null,
      message: 'it names none',
      remedy: 'name one',
    };
    const decided = await openCorrection(ledger, {
      ...FACTS,
      rows: [{ dropId, line: 2, cells: ['new'] }],
      mappings: [mapping],
      file: { ...arrival, issues: [{ ...left, sheet: null, line: 3 }], refusal },
    });
    expect(decided.map(({ kind, finishedAt }) => [kind, finishedAt])).toEqual([
      ['correct', null],
      ['map', null],
    ]);
    const [{ decisionId } = { decisionId: 0 }] = decided;
    expect([...(await openCorrectedRows(ledger, decisionId))]).toEqual([
      [dropId, [{ dropId, line: 2, cells: ['new'] }]],
    ]);
    const inFull = await readDecision(ledger, decisionId, { after: null, limit: 10 });
    expect(inFull?.issues).toEqual([{ ...left, sheet: null, line: 3 }]);
    expect((await readBooks(ledger, {})).openInAll).toEqual({ rows: 0, files: 1 });
    const again = { ...file, runId, isResumed: false };
    expect(await findCorrectedFile(ledger, arrival.sha256, again)).toMatchObject({
      decisionId,
      refusedFiles: { sentence: why.text },
    });
    // Its cells count once they are carried out.
    expect(await present(ledger, dropId)).toMatchObject({ cells: ['row 0'], correctedBy: null });
  });

  it('a returned file whose bytes are known is recorded as imported again, unless it is refused', async () => {
    const { ledger } = await open();
    const { runId, ...file } = await fileOf(ledger, 'back.csv');
    const facts = { ...file, runId, isResumed: false };
    expect(await findCorrectedFile(ledger, file.identity.sha256, facts)).toBe(null);
    const arrival = { sha256: file.identity.sha256, fileName: 'back.csv', source: file.source, runId };
    const correction = { ...FACTS, rows: [], mappings: [], file: { ...arrival, issues: [], refusal: null } };
    const [decided] = await openCorrection(ledger, correction);
    expect(await findCorrectedFile(ledger, file.identity.sha256, facts)).toEqual({
      decisionId: decided?.decisionId,
      refusedFiles: null,
    });
    const { corrections } = await readBooks(ledger, { runId });
    expect(corrections).toMatchObject([{ file: 'back.csv', issues: 0, rows: { made: 0 } }]);
  });

  it('a record is known by its key as soon as it is staged, with each of its revisions', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const records = [
      { content: 'C-1', percentile: 70 },
      { content: 'C-1', percentile: 80 },
      { content: 'C-2' },
    ];
    const prepared = records.map((record) => preparedCompletion(ledger, record, 2));
    expect(await knownRecords(ledger, TARGET, prepared)).toEqual(
      prepared.map(() => ({ revisions: [], formers: [] })),
    );
    await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), records.slice(0, 2));
    const known = await knownRecords(ledger, TARGET, prepared);
    expect(known.map(({ revisions }) => revisions.map(({ revision }) => revision))).toEqual([
      [1, 2],
      [1, 2],
      [],
    ]);
  });

  it('a row is corrected once, however often its decision is carried out, and has its new cells from then on', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{ content: 'C-1' }]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const rows = [{ dropId, line: 2, cells: ['new'] }];
    const [decided] = await openCorrection(ledger, { ...FACTS, rows, mappings: [], file: null });
    const decisionId = decided?.decisionId ?? 0;
    const target = { ...TARGET, dropId, sendAmendments: false, isCorrection: true, decisionId, runId: null };
    const row = preparedCompletion(ledger, { content: 'C-2' }, 2);
    expect(await rereadPage(ledger, target, [row])).toMatchObject({ made: 1, left: 0 });
    expect(await openCorrectedRows(ledger, decisionId)).toEqual(new Map());
    expect(await present(ledger, dropId)).toMatchObject({ cells: ['new'], correctedBy: { decisionId } });
    const now = await openRow(ledger, { dropId, line: 2, version: decisionId });
    expect(now).toMatchObject({ cells: ['new'], open: [{ kind: 'submission' }] });
    expect(await closeDecision(ledger, decisionId)).toEqual({ moved: 1, made: 1, resolved: 0 });
  });

  it('an invalid row that is invalid still stays open, with its new cells and issues', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const found = (code: 'value-missing' | 'email-invalid') => ({
      kind: 'invalid' as const,
      line: 2,
      issues: [{ code, column: 'Email', value: null, message: 'it is none', remedy: 'correct it' }],
    });
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [found('value-missing')]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const rows = [{ dropId, line: 2, cells: ['nobody'] }];
    const [decided] = await openCorrection(ledger, { ...FACTS, rows, mappings: [], file: null });
    const decisionId = decided?.decisionId ?? 0;
    const target = { ...TARGET, dropId, sendAmendments: false, isCorrection: true, decisionId, runId: null };
    expect(await rereadPage(ledger, target, [found('email-invalid')])).toMatchObject({ invalid: 1 });
    expect((await present(ledger, dropId))?.issues).toMatchObject([{ code: 'email-invalid' }]);
    expect(await restageFacts(ledger, dropId)).toEqual(new Map([[2, ['nobody']]]));
    expect((await readBooks(ledger, {})).imbalances).toEqual([]);
  });
});
