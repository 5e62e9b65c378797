import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { readSelection } from '../../src/domain/selection.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { knownLearners } from '../../src/ledger/decisions/known-learners.js';
import { mapLearner, planMapping } from '../../src/ledger/decisions/mapping.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { findPerson, forgetPerson, nearPeople } from '../../src/ledger/erasure/forget-person.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { type OldFiles, planPurge, purgeContent } from '../../src/ledger/erasure/purge-content.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { planDismissal, planRerun, rowsToMove } from '../../src/ledger/submissions/select/select-rows.js';
import { decider } from '../support/decider.js';
import { runToCompletion } from '../support/run-to-completion.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { publishedDrop } from './staged-drop.js';

const JANE = 'jane@x.example';
const BOB = 'bob@x.example';
const facts = { who: decider('ada'), because: 'asked' };

async function waitingRows(ledger: Ledger) {
  const states = ['waiting'] as const;
  const selectable = { done: 'dismissed', states, usual: states };
  const read = readSelection({ states: ['waiting'] }, selectable);
  if ('mistakes' in read) throw new Error('it is a selection');
  const rows = { selection: read.selection, learners: null };
  const planned = await planDismissal(ledger, { rows, file: null, drop: null }, 10);
  if ('other' in planned) throw new Error('it names no drop');
  return planned;
}

describe.each(ENGINES)('on $name', ({ open }) => {
  /** Two rows of a published drop that wait, the first about Jane. */
  async function withTwoWaiting() {
    const opened = await open();
    await publishedDrop(opened.ledger, 'a.csv', [{ user: JANE }, { user: BOB }]);
    return opened;
  }

  describe('a dismissal', () => {
    it('moves the rows that it listed and no others, each once, whichever process carries it out', async () => {
      const { ledger } = await withTwoWaiting();
      const { filter, rows } = await waitingRows(ledger);
      expect(rows.total).toBe(2);
      const listed = (await collected(rowsToMove(ledger, filter))).flat();
      expect(listed).toMatchObject([2, 3].map((line) => ({ row: { line }, obstacle: null })));
      const decision = await openDecision(ledger, {
        ...facts,
        kind: 'dismiss',
        selection: {},
        filter,
        refusals: [],
      });
      await publishedDrop(ledger, 'b.csv', [{ user: 'carl@x.example' }]);
      await collected(moveListedRows(ledger, decision, null));
      await collected(moveListedRows(ledger, decision, null));
      expect((await waitingRows(ledger)).rows.total).toBe(1);
      expect(await closeDecision(ledger, decision.decisionId)).toEqual({ moved: 2, made: 0, resolved: 0 });
    });

    it('is open until it is closed, and closing it again changes nothing', async () => {
      const { ledger } = await withTwoWaiting();
      const { filter } = await waitingRows(ledger);
      const { decisionId } = await openDecision(ledger, {
        ...facts,
        kind: 'dismiss',
        selection: {},
        filter,
        refusals: [],
      });
      expect((await readState(ledger, ['work'])).work.decisions).toMatchObject([
        { decisionId, kind: 'dismiss', who: 'ada' },
      ]);
      const result = await closeDecision(ledger, decisionId);
      expect((await readState(ledger, ['work'])).work.decisions).toEqual([]);
      expect(await closeDecision(ledger, decisionId)).toEqual(result);
    });
  });

  describe('a decision that was begun', () => {
    it('is resumed when it is made again, and starts again once it has ended', async () => {
      const { ledger } = await open();
      const restage = { ...facts, kind: 'restage' as const, selection: { drop: 1 } };
      const first = await openDecision(ledger, restage);
      expect(await openDecision(ledger, { ...restage, because: 'again' })).toEqual(first);
      await closeDecision(ledger, first.decisionId);
      expect((await openDecision(ledger, restage)).decisionId).not.toBe(first.decisionId);
    });
  });

  describe('a mapping', () => {
    it('replaces the waiting submissions of the old identifier, once', async () => {
      const { ledger } = await withTwoWaiting();
      const correction = { old: learner(ledger, JANE), now: learner(ledger, 'june@x.example') };
      expect(await planMapping(ledger, correction)).toMatchObject({
        states: { waiting: 1 },
        rows: [{ line: 2 }],
      });
      const decision = await openDecision(ledger, { ...facts, kind: 'map', correction });
      const standing = [{ state: 'waiting', heldReason: null, count: 1 }];
      expect(await runToCompletion(mapLearner(ledger, decision))).toEqual({
        steps: [{ made: 1, linked: 0, left: 0 }],
        result: standing,
      });
      expect(await runToCompletion(mapLearner(ledger, decision))).toEqual({ steps: [], result: standing });
    });

    it.each([
      ['to itself', JANE, 'same'],
      ['in a circle', BOB, 'circle'],
    ])('%s is refused as a mapping', async (_, now, problem) => {
      const { ledger } = await withTwoWaiting();
      const back = { old: learner(ledger, BOB), now: learner(ledger, JANE) };
      await openDecision(ledger, { ...facts, kind: 'map', correction: back });
      expect(await planMapping(ledger, { old: learner(ledger, JANE), now: learner(ledger, now) })).toBe(
        problem,
      );
    });
  });

  it('a learner is known by its rows, by a correction or by having been forgotten, or not at all', async () => {
    const { ledger } = await withTwoWaiting();
    const jane = learner(ledger, JANE);
    const june = learner(ledger, 'june@x.example');
    const unknown = learner(ledger, 'no@x.example');
    const correction = { old: unknown, now: june };
    await openDecision(ledger, { ...facts, kind: 'map', correction });
    const known = async () => {
      const hashes = [jane, june, unknown].map(({ hash }) => hash);
      const { named, withRows, corrections, suppressed } = await knownLearners(ledger, hashes);
      return {
        named: [...named.values()],
        withRows: [...withRows],
        corrections,
        suppressed: [...suppressed],
      };
    };
    const withRows = [jane.hash];
    const others = [june, unknown];
    expect(await known()).toEqual({
      named: [jane, ...others],
      withRows,
      corrections: [correction],
      suppressed: [],
    });
    const forget = await openDecision(ledger, { ...facts, kind: 'forget', learners: [jane], reports: false });
    await runToCompletion(forgetPerson(ledger, forget));
    // The rows still exist, and name no learner any more.
    expect(await known()).toEqual({
      named: others,
      withRows,
      corrections: [correction],
      suppressed: [jane.hash],
    });
  });

  it('learners who may be meant by an unknown one are near, the others are not', async () => {
    const { ledger } = await open();
    const users = ['j.ane@x.example', 'jane@y.example', BOB].map((user) => ({ user }));
    await publishedDrop(ledger, 'a.csv', users);
    expect(await nearPeople(ledger, [learner(ledger, JANE)])).toContain('j.ane@x.example');
    expect(await nearPeople(ledger, [learner(ledger, JANE)])).not.toContain(BOB);
    expect(await nearPeople(ledger, [learner(ledger, 'zoe@z.example')])).toEqual([]);
  });

  describe('a forget', () => {
    it('leaves nothing of the person, and everything of others', async () => {
      const { ledger } = await withTwoWaiting();
      const learners = [learner(ledger, JANE)];
      expect(await findPerson(ledger, learners)).toMatchObject({
        identifiers: [JANE],
        states: { waiting: 1 },
        rows: 1,
      });
      const decision = await openDecision(ledger, { ...facts, kind: 'forget', learners, reports: false });
      const begun: (readonly string[])[] = [];
      const begin = async (identifiers: readonly string[]) => void begun.push(identifiers);
      const { steps, result } = await runToCompletion(forgetPerson(ledger, decision, begin));
      expect(steps.reduce((sum, { records = 0 }) => sum + records, 0)).toBe(1);
      expect(result).toMatchObject({ states: { waiting: 1 }, proof: { remaining: [] } });
      expect(await findPerson(ledger, learners)).toMatchObject({ states: { dismissed: 1 }, rows: 0 });
      expect(await findPerson(ledger, [learner(ledger, BOB)])).toMatchObject({
        states: { waiting: 1 },
        rows: 1,
      });
      // Nothing remains by which the person could be found.
      await runToCompletion(forgetPerson(ledger, decision, begin));
      expect(begun).toEqual([[JANE], []]);
      await closeDecision(ledger, decision.decisionId);
    });

    it('can’t be closed before it is carried out, and prevents mappings to the person from then on', async () => {
      const { ledger } = await withTwoWaiting();
      const learners = [learner(ledger, JANE)];
      const { decisionId } = await openDecision(ledger, {
        ...facts,
        kind: 'forget',
        learners,
        reports: false,
      });
      await expect(closeDecision(ledger, decisionId)).rejects.toThrow(/identifiers/);
      const correction = { old: learner(ledger, BOB), now: learner(ledger, JANE) };
      expect(await planMapping(ledger, correction)).toBe('forgotten');
    });
  });

  describe('a purge', () => {
    it('clears the content that its plan counts, and leaves open and younger rows', async () => {
      const { ledger, clock } = await withTwoWaiting();
      await clock.pass(1_000);
      const before = new Date(clock.nowMs()).toISOString();
      expect(await planPurge(ledger, before)).toMatchObject({ cleared: { rows: 0 }, drops: [{ open: 2 }] });
      const { filter } = await waitingRows(ledger);
      const dismissal = await openDecision(ledger, {
        ...facts,
        kind: 'dismiss',
        selection: {},
        filter,
        refusals: [],
      });
      await collected(moveListedRows(ledger, dismissal, null));
      await clock.pass(1_000);
      await publishedDrop(ledger, 'b.csv', [{ user: 'carl@x.example' }]);

      const { cleared } = await planPurge(ledger, before);
      expect(cleared).toEqual({ rows: 2, records: 2, issues: 0, answers: 0, refusals: 0 });
      const purge = await openDecision(ledger, { ...facts, kind: 'purge', selection: { before } });
      const whenCleared = async (old: OldFiles) =>
        expect(old).toMatchObject({ drops: [{ open: 0, hasContent: false }] });
      const { steps, result } = await runToCompletion(purgeContent(ledger, purge, whenCleared));
      expect([steps.reduce((sum, { records = 0 }) => sum + records, 0), result]).toEqual([2, true]);
      expect((await planPurge(ledger, before)).cleared).toEqual({
        rows: 0,
        records: 0,
        issues: 0,
        answers: 0,
        refusals: 0,
      });
    });
  });

  describe('a rerun', () => {
    it('says for each row what would keep it back, and its pages return the rows that it counts', async () => {
      const { ledger } = await withTwoWaiting();
      const states = ['waiting'] as const;
      const read = readSelection({ states: ['waiting'] }, { done: 'rerun', states, usual: states });
      if ('mistakes' in read) throw new Error('it is a selection');
      const resolved = { selection: read.selection, learners: null };
      const { rows, sent, first, filter } = await planRerun(ledger, resolved, 1);
      expect([rows.total, [...sent], first.length]).toEqual([2, [['main', 2]], 1]);
      const pages = (await collected(rowsToMove(ledger, filter))).flat();
      expect(pages.map(({ row, obstacle }) => [row.line, obstacle])).toEqual([
        [2, null],
        [3, null],
      ]);
    });

    it.each([{ rows: [99] }, { rows: ['no.csv:2'] }, { file: 'no.csv' }, { run: 99 }])(
      'of what does not exist is refused: %j',
      async (selection) => {
        const { ledger } = await withTwoWaiting();
        const states = ['waiting'] as const;
        const read = readSelection(selection, { done: 'rerun', states, usual: states });
        if ('mistakes' in read) throw new Error('it is a selection');
        await expect(planRerun(ledger, { selection: read.selection, learners: null }, 1)).rejects.toThrow(
          /there is no|no file/,
        );
      },
    );
  });
});
