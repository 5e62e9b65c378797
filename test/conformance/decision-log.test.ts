import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import {
  closeDecision,
  type DecisionListQuery,
  listDecisions,
  readDecision,
} from '../../src/ledger/decisions/decision-log.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { waitingFilter } from './selection-of.js';
import { publishedDrop } from './staged-drop.js';

const ALL: DecisionListQuery = {
  who: null,
  door: null,
  after: null,
  limit: 50,
};

async function numbers(ledger: Ledger, query: Partial<DecisionListQuery> = {}) {
  return (await listDecisions(ledger, { ...ALL, ...query })).rows.map(({ decisionId }) => decisionId);
}

const USERS = ['ada', 'bea', 'cy'].map((name) => ({ user: `${name}@x.example` }));

/** Lists the waiting rows in a dismissal, and carries none of it out. */
async function dismissal(ledger: Ledger) {
  const filter = await waitingFilter(ledger);
  const facts = { who: decider('ada'), because: 'asked', selection: { states: ['waiting'] } };
  return openDecision(ledger, { ...facts, kind: 'dismiss', filter, refusals: [] });
}

describe.each(ENGINES)('on $name', ({ open }) => {
  /** A dismissal by Ada, which is carried out, and a restaging and a mapping by Bea, which are not. */
  async function withDecisions() {
    const opened = await open();
    const { ledger } = opened;
    await publishedDrop(ledger, 'a.csv', USERS);
    const dismissed = await dismissal(ledger);
    await collected(moveListedRows(ledger, dismissed, null));
    await closeDecision(ledger, dismissed.decisionId);
    await opened.clock.pass(1_000);
    const bea = { who: { name: 'bea', door: 'console' as const }, because: null };
    const restage = await openDecision(ledger, { ...bea, kind: 'restage', selection: { drop: 7 } });
    const correction = { old: learner(ledger, 'eve@x.example'), now: learner(ledger, 'eva@x.example') };
    const map = await openDecision(ledger, { ...bea, kind: 'map', correction });
    const made = [dismissed, restage, map].map(({ decisionId }) => decisionId);
    return { ...opened, made, dismissed: made[0] ?? 0, restage: made[1] ?? 0, map: made[2] ?? 0 };
  }

  it('a request makes its decision once, however often it is sent, also after the decision is finished', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', USERS);
    const filter = await waitingFilter(ledger);
    const made = (request: string) => {
      const facts = { who: { ...decider('ada'), request }, because: 'asked', selection: {} };
      return openDecision(ledger, { ...facts, kind: 'dismiss', filter, refusals: [] });
    };
    const first = await made('a'.repeat(64));
    await closeDecision(ledger, first.decisionId);
    expect((await made('a'.repeat(64))).decisionId).toBe(first.decisionId);
    expect((await made('b'.repeat(64))).decisionId).not.toBe(first.decisionId);
    expect(await numbers(ledger)).toHaveLength(2);
  });

  describe('the log of decisions', () => {
    it('says who decided what by which door, when and why, and what came of it', async () => {
      const { ledger, dismissed, restage, map } = await withDecisions();
      const { rows } = await listDecisions(ledger, { ...ALL, after: map, limit: 2 });
      const at = '2026-03-02T08:00:00.000Z';
      expect(rows.toReversed()).toMatchObject([
        {
          decisionId: dismissed,
          kind: 'dismiss',
          who: 'ada',
          door: 'command-line',
          because: 'asked',
          selection: { states: ['waiting'] },
          madeAt: at,
          finishedAt: at,
          result: { moved: 3, made: 0, resolved: 0 },
        },
        { decisionId: restage, kind: 'restage', because: null, finishedAt: null, result: null },
      ]);
    });

    it('is narrowed by person and by door', async () => {
      const { ledger, made, dismissed, restage, map } = await withDecisions();
      expect(await numbers(ledger)).toEqual(made.toReversed());
      expect(await numbers(ledger, { who: 'bea' })).toEqual([map, restage]);
      expect(await numbers(ledger, { door: 'command-line' })).toEqual([dismissed]);
      expect((await listDecisions(ledger, { ...ALL, who: 'bea', limit: 1 })).total).toBe(2);
    });

    it('goes on after the last decision of a page', async () => {
      const { ledger, made } = await withDecisions();
      const first = await listDecisions(ledger, { ...ALL, limit: 2 });
      expect([first.total, first.next]).toEqual([3, made[1]]);
      const rest = await listDecisions(ledger, { ...ALL, limit: 2, after: first.next });
      expect([...first.rows, ...rest.rows].map(({ decisionId }) => decisionId)).toEqual(made.toReversed());
      expect(rest.next).toBeNull();
    });
  });

  describe('a decision', () => {
    it('lists its rows a page at a time, each in its present state', async () => {
      const { ledger } = await open();
      const dropId = await publishedDrop(ledger, 'a.csv', USERS);
      const { decisionId } = await dismissal(ledger);
      const first = await readDecision(ledger, decisionId, { after: null, limit: 2 });
      expect(first?.rows).toMatchObject([
        { dropId, line: 2, file: 'a.csv', state: 'waiting' },
        { dropId, line: 3, file: 'a.csv', state: 'waiting' },
      ]);
      await collected(moveListedRows(ledger, { decisionId, kind: 'dismiss' }, null));
      const rest = await readDecision(ledger, decisionId, { after: first?.next ?? null, limit: 2 });
      expect(rest).toMatchObject({ decisionId, rows: [{ line: 4, state: 'dismissed' }], next: null });
    });

    it('without rows is read all the same, and one that was never made is not', async () => {
      const { ledger, map } = await withDecisions();
      const page = { after: null, limit: 2 };
      expect(await readDecision(ledger, map, page)).toMatchObject({ kind: 'map', rows: [], next: null });
      expect(await readDecision(ledger, map + 99, page)).toBeNull();
    });
  });
});
