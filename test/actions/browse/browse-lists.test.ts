import { describe, expect, it } from 'vitest';
import { browseCauses } from '../../../src/actions/browse/browse-causes.js';
import { browseDecision, browseDecisions } from '../../../src/actions/browse/browse-decisions.js';
import { browseFile, browseFiles } from '../../../src/actions/browse/browse-files.js';
import { browseRun, browseRuns } from '../../../src/actions/browse/browse-runs.js';
import { browseSchedule } from '../../../src/actions/browse/browse-schedule.js';
import { overview } from '../../../src/actions/browse/overview.js';
import * as dismissing from '../../../src/actions/dismiss.js';
import { ATTENTION_STATES } from '../../../src/domain/submission.js';
import { dropsIn } from '../../../src/ledger/drops/drop-list.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { nextSlotMs } from '../../../src/schedule/slots.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger, PERSONAL } from '../../support/browsed-ledger.js';
import { decider } from '../../support/decider.js';
import { stage } from '../../support/staged-ledger.js';

const NOTHING = {
  cause: null,
  learner: null,
  content: null,
  file: null,
  run: null,
  since: null,
  until: null,
  rows: null,
} as const;

/** The ledger after a person has dismissed the invalid rows and the refused ones, for a reason that names somebody. */
async function decidedLedger(): Promise<Ledger> {
  const ledger = await browsedLedger();
  const context = actionContext(ledger);
  const because = 'Zacharias Quimby has left';
  const invalid = { ...NOTHING, states: ['invalid'] } as const;
  const dismissal = await dismissing.plan(context, { selection: invalid, drop: null });
  await dismissing.carryOut(context, dismissal, decider('bea'), because);
  const rejected = { ...NOTHING, states: ['rejected'] } as const;
  const others = await dismissing.plan(context, { selection: rejected, drop: null });
  await dismissing.carryOut(context, others, decider('cy'), because);
  return ledger;
}

function personalIn(value: unknown): string[] {
  expect(structuredClone(value)).toEqual(value);
  const text = JSON.stringify(value).toLowerCase();
  return PERSONAL.filter((personal) => text.includes(personal));
}

describe('files', () => {
  it('are listed with what each became, as a report counts it, after decisions and while others are staged', async () => {
    const ledger = await decidedLedger();
    await stage(ledger, [{}, { user: 'other@x.example' }]);
    await stage(ledger, [{ user: 'third@x.example' }], { publish: false });
    const { rows, total } = await browseFiles(actionContext(ledger), { isMasked: false });
    const reported = await dropsIn(ledger, {});
    expect(total).toBe(4);
    expect(rows.map(({ dropId }) => dropId)).toEqual([4, 3, 2, 1]);
    for (const { dropId, states, dispositions, state } of rows) {
      const [same] = reported.filter((drop) => drop.dropId === dropId);
      expect([dropId, dispositions]).toEqual([dropId, same?.dispositions]);
      if (state === 'published') expect([dropId, states]).toEqual([dropId, same?.states]);
    }
  });

  it('are chosen by source, name and state, sorted, and paged', async () => {
    const ledger = await browsedLedger();
    await stage(ledger, [{}]);
    const list = async (asked: Partial<Parameters<typeof browseFiles>[1]>) =>
      (await browseFiles(actionContext(ledger), { isMasked: false, ...asked })).rows.map(
        ({ dropId }) => dropId,
      );
    expect(await list({ sort: 'rows' })).toEqual([1, 2, 3]);
    expect(await list({ sort: 'rows', isDescending: false })).toEqual([3, 2, 1]);
    expect(await list({ name: 'DROP.csv' })).toEqual([2, 1]);
    expect(await list({ source: 'another' })).toEqual([]);
    expect(await list({ state: 'refused' })).toEqual([]);
    const paged = await browseFiles(actionContext(ledger), { isMasked: false, page: 2, limit: 2 });
    expect(paged).toMatchObject({ rows: [{ dropId: 1 }], total: 3, next: null });
    expect((await browseFiles(actionContext(ledger), { isMasked: false, limit: 2 })).next).toBe(2);
  });

  it('tell one by one what became of their rows and who decided', async () => {
    const ledger = await decidedLedger();
    const file = await browseFile(actionContext(ledger), { dropId: 2, isMasked: false });
    expect(file).toMatchObject({
      header: ['Email', 'Course ID', 'Completed on', 'Status', 'Name'],
      invalidOpen: 0,
      dispositions: { invalid: 4 },
      arrivals: [{ file: 'drop.csv' }],
      decisions: [{ kind: 'dismiss', who: 'bea' }],
    });
    expect(await browseFile(actionContext(ledger), { dropId: 99, isMasked: false })).toBeNull();
    expect(personalIn(await browseFile(actionContext(ledger), { dropId: 2, isMasked: true }))).toEqual([]);
    expect(personalIn(file)).not.toEqual([]);
  });
});

describe('runs', () => {
  it('are listed with what they did, by trigger and end, and tell their neighbours', async () => {
    const context = actionContext(await browsedLedger());
    const { rows, total } = await browseRuns(context, {});
    expect([total, rows.map(({ runId }) => runId)]).toEqual([3, [3, 2, 1]]);
    expect(rows[1]).toMatchObject({ trigger: 'cron', end: 'attention', requests: 9, areAllCounted: true });
    expect((await browseRuns(context, { trigger: 'cron' })).total).toBe(1);
    expect((await browseRuns(context, { end: 'open' })).total).toBe(2);
    expect(await browseRun(context, 2)).toMatchObject({
      requests: 9,
      environments: [{ environment: 'main', requests: 9 }],
      previous: 1,
      next: 3,
    });
    expect(await browseRun(context, 99)).toBeNull();
  });
});

describe('decisions', () => {
  it('are listed with their results, and tell the rows that they moved or resolved', async () => {
    const context = actionContext(await decidedLedger());
    const { rows } = await browseDecisions(context, { isMasked: false });
    expect(rows.map(({ kind, who, because }) => [kind, who, because])).toEqual([
      ['dismiss', 'cy', 'Zacharias Quimby has left'],
      ['dismiss', 'bea', 'Zacharias Quimby has left'],
    ]);
    expect((await browseDecisions(context, { isMasked: false, kind: 'map' })).total).toBe(0);
    expect((await browseDecisions(context, { isMasked: false, who: 'bea' })).total).toBe(1);
    const [moved, dismissed] = rows;
    const numbers: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const decisionId = moved?.decisionId ?? 0;
      const page = await browseDecision(context, { decisionId, after, limit: 2, isMasked: false });
      numbers.push(...(page?.rows ?? []).map(({ submissionId }) => submissionId ?? 0));
      after = page?.next ?? null;
    }
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.length).toBe(moved?.result?.moved);
    const resolved = await browseDecision(context, {
      decisionId: dismissed?.decisionId ?? 0,
      isMasked: false,
    });
    expect(resolved).toMatchObject({ resolved: 6, listed: 0 });
    expect(resolved?.firstResolved).toHaveLength(6);
  });

  it('hold masked nothing of who somebody is', async () => {
    const context = actionContext(await decidedLedger());
    const list = await browseDecisions(context, { isMasked: true });
    expect(personalIn(list)).toEqual([]);
    for (const { decisionId } of list.rows) {
      expect(personalIn(await browseDecision(context, { decisionId, isMasked: true }))).toEqual([]);
    }
  });
});

describe('causes', () => {
  it('are counted with who can do what about them', async () => {
    const context = actionContext(await browsedLedger());
    const { causes, submissions, setAside } = await browseCauses(context, { isMasked: true });
    expect(causes.find(({ code }) => code === 'timestamp-invalid')).toMatchObject({
      count: 4,
      states: [{ state: 'invalid', count: 4 }],
      files: 2,
      correctable: true,
    });
    expect(causes.find(({ code }) => code === 'learner-unknown')?.remedies).toEqual([{ action: 'map' }]);
    expect(submissions).toBe(
      causes
        .flatMap(({ states }) => states)
        .filter(({ state }) => ATTENTION_STATES.some((one) => one === state))
        .reduce((sum, { count }) => sum + count, 0),
    );
    expect(setAside).toEqual([]);
    expect(personalIn(causes)).toEqual([]);
  });
});

describe('the overview', () => {
  it('tells how things stand', async () => {
    const context = actionContext(await browsedLedger());
    const found = await overview(context, { nextSlotMs, isMasked: true });
    expect(found).toMatchObject({
      verdict: 'attention',
      books: { balanced: true, unbalancedDrops: [] },
      environments: [{ environment: 'main', isDown: false, estimate: { rows: expect.any(Number) } }],
      outages: [],
      alerts: [],
      jobs: [],
      untaken: [],
    });
    expect(found.runs).toHaveLength(3);
    expect(found.attention.rows).toBeGreaterThan(6);
    expect(personalIn(found)).toEqual([]);
  });

  it('counts the requests of the last day hour by hour, and of the last hour minute by minute', async () => {
    const context = actionContext(await browsedLedger());
    const { sent, at } = await overview(context, { nextSlotMs, isMasked: true });
    expect([sent.hours.length, sent.minutes.length]).toEqual([24, 60]);
    const sum = (of: readonly { requests: number }[]) =>
      of.reduce((total, { requests }) => total + requests, 0);
    expect(sum(sent.hours)).toBe(9);
    expect(sent.hours.at(-1)?.at.slice(0, 13)).toBe(at.slice(0, 13));
    // They left an hour ago.
    expect(sent.hours.at(-2)?.requests).toBe(9);
    expect(sum(sent.minutes)).toBe(0);
    expect(sent.hours.at(-2)).toMatchObject({ accepted: 1 });
  });
});

it('the schedule tells the next times of each line', async () => {
  const ledger = await browsedLedger();
  const line = {
    cron: '0 6 * * *',
    timeZone: 'Europe/Berlin',
    do: ['run'],
    sources: [],
    missed: 'latest',
    keep: 14,
  } as const;
  const context = actionContext(ledger, { schedule: [{ ...line, do: ['run'], sources: [] }] });
  const [found] = await browseSchedule(context, { nextSlotMs });
  expect(found).toMatchObject({ cron: '0 6 * * *', does: ['run'], slotAt: null });
  expect(found?.next).toHaveLength(5);
  expect(found?.next[0]).toBe(found?.nextAt);
});
