import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dismiss, dismissedRows } from '../../src/actions/dismiss.js';
import { requeueRows, rerun, rerunRows } from '../../src/actions/rerun.js';
import { DISMISSABLE, RERUNNABLE } from '../../src/actions/rows/selectable.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { collected, mapSeries } from '../../src/domain/process/series.js';
import { readSelection, type Selectable, type Selection } from '../../src/domain/selection.js';
import { STATES } from '../../src/domain/submission.js';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { unknownLearners } from '../../src/ledger/books/unknown-learners.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { selectedPages } from '../../src/ledger/submissions/select/selection.js';
import { sourceOf, stageContent } from '../staging/staging-bench.js';
import { actionContext } from '../support/action-context.js';
import { withoutSyncs } from '../support/damage.js';
import { decider } from '../support/decider.js';
import { csvOf, type ExportRow } from '../support/exports.js';
import { traceOf } from '../support/ledger-trace.js';
import { manualClock } from '../support/manual-clock.js';
import { randomExport } from '../support/random-exports.js';
import { samples } from '../support/samples.js';
import {
  ACCEPTED,
  answerOf,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  SILENCE,
  TEST_POLICY,
  testLedger,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';

/** Sources, each with an environment of its own. */
const ENVIRONMENTS = ['main', 'other'] as const;

/** Events of a ledger: a file was imported, the platform answered, an operator dismissed rows. */
type Event =
  | { readonly kind: 'file'; readonly environment: string; readonly rows: readonly ExportRow[] }
  | { readonly kind: 'answers'; readonly environment: string; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'dismissed'; readonly value: unknown };

const environment = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ENVIRONMENTS[0]) },
  { weight: 1, arbitrary: fc.constant(ENVIRONMENTS[1]) },
);

/** Of one course, so that corrections, and rows that go one after the other, abound. */
const rows = randomExport.map((drawn) =>
  drawn.map((row) => (row.course === '' ? row : { ...row, course: 'COURSE-0' })),
);

const file = fc.record({ kind: fc.constant('file' as const), environment, rows });
const answers = fc.record({
  kind: fc.constant('answers' as const),
  environment,
  outcomes: fc.array(fc.constantFrom(ACCEPTED, REJECTED, UNKNOWN_LEARNER, SERVER_ERROR, SILENCE), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  }),
});

/** Mostly absent: of several that narrow at once few rows are left. */
function seldom<T>(narrowing: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: narrowing });
}

/** How rows are chosen, as JSON. Of states there may be some that one of the actions doesn't take. */
const chosen = fc.record({
  all: fc.constant(true),
  states: seldom(
    fc.subarray(['rejected', 'failed', 'in-doubt', 'held', 'waiting', 'invalid'], { minLength: 1 }),
  ),
  cause: seldom(
    fc.constantFrom('platform-refused', 'learner-unknown', 'amended', 'out-of-order', 'timestamp-invalid'),
  ),
  learner: seldom(fc.constantFrom('learner1@example.org', 'nobody')),
  content: seldom(fc.constantFrom('COURSE-0', 'COURSE-1')),
  run: seldom(fc.constantFrom(1, 2)),
  rows: seldom(
    fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom('1:2', '1:3', '1:4', '2:2')), {
      minLength: 1,
      maxLength: 6,
    }),
  ),
});

const dismissed = fc.record({ kind: fc.constant('dismissed' as const), value: chosen });

/** Plans have most to say about rows refused before another one of the same slot was imported and waits. */
const history = fc
  .tuple(
    file,
    answers,
    fc.array(fc.oneof(file, answers, dismissed), { maxLength: 4, size: 'max' }),
    fc.option(file),
  )
  .map(([first, second, rest, last]): readonly Event[] => [
    first,
    second,
    ...rest,
    ...(last === null ? [] : [last]),
  ]);

/** The selection, with those of its states that the action takes; null: it names a row that there is not. */
async function selectionFor(
  ledger: Ledger,
  value: object,
  selectable: Selectable,
): Promise<Selection | null> {
  const { states = null, rows = null } = value as { states?: string[]; rows?: (number | string)[] };
  const taken = states?.filter((state) => selectable.states.some((one) => one === state)) ?? [];
  const known: (number | string)[] = [];
  for (const row of rows ?? []) if (await isKnown(ledger, row)) known.push(row);
  if (rows !== null && known.length === 0) return null;
  const read = readSelection(
    { ...value, states: taken.length > 0 ? taken : null, rows: rows === null ? null : known },
    selectable,
  );
  if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes));
  const { run } = read.selection;
  return run === null || run <= (await ledgerTotals(ledger)).runs ? read.selection : null;
}

async function isKnown(ledger: Ledger, row: number | string): Promise<boolean> {
  const { rows, lives } = await traceOf(ledger, typeof row === 'number' ? `#${row}` : row);
  return rows.length + lives.length > 0;
}

async function ledgerAfter(events: readonly Event[]): Promise<Ledger> {
  const clock = manualClock();
  const ledger = testLedger(clock);
  withoutSyncs(ledger);
  for (const event of events) {
    clock.pass(600_000);
    if (event.kind === 'file') {
      const source = sourceOf({ name: event.environment, environment: event.environment });
      await stageContent(ledger, csvOf(event.rows), { source });
    } else if (event.kind === 'answers') await deliver(ledger, event.environment, event.outcomes);
    else {
      const selection = await selectionFor(ledger, event.value as object, DISMISSABLE);
      if (selection === null) continue;
      const planned = await dismiss.plan(actionContext(ledger), { selection });
      await dismiss.carryOut(actionContext(ledger), planned, decider('bea'), 'gone');
    }
  }
  return ledger;
}

/**
 * Delivers what waits, one request after the other.
 * @param outcomes of the requests; a function: of all there are. @param chosenBy only what this decision chose.
 * @returns the submissions that were sent.
 */
async function deliver(
  ledger: Ledger,
  name: string,
  outcomes: readonly Outcome[] | (() => Outcome),
  chosenBy: number | null = null,
): Promise<number[]> {
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  const lease = await mustLease(ledger, `push:${name}`);
  const policy = { ...TEST_POLICY, maxTries: 1, onUnknown: 'hold' as const };
  const sent: number[] = [];
  for (let n = 0; typeof outcomes === 'function' || n < outcomes.length; n += 1) {
    const due = await findDue(ledger, { environment: name, runId, chosenBy });
    if (due.kind !== 'ready') break;
    const claimed = await claim(ledger, lease, due.submissionId, runId, chosenBy);
    if (claimed === null) continue;
    const outcome = typeof outcomes === 'function' ? outcomes() : (outcomes[n] ?? ACCEPTED);
    await recordAnswer(
      ledger,
      claimed.attemptId,
      answerOf(outcome, outcome.kind === 'rejected' ? 400 : 503),
      policy,
      runId,
    );
    sent.push(...claimed.submissions.map(({ submissionId }) => submissionId));
  }
  await releaseLease(ledger, lease);
  return sent;
}

/** The state of every submission, and of every invalid row that is open. */
async function standing(ledger: Ledger): Promise<Map<string, string>> {
  const rows = (await collected(selectedPages(ledger, { states: [...STATES, 'invalid'] }))).flat();
  return new Map(rows.map((row) => [nameOf(row), row.state]));
}

interface NamedRow {
  readonly submissionId: number | null;
  readonly drop: number;
  readonly line: number;
}

function nameOf({ submissionId, drop, line }: NamedRow): string {
  return submissionId === null ? `${drop}:${line}` : `#${submissionId}`;
}

/** Carrying out the plan moved the rows that it listed, to the states that it named, and nothing else. */
function expectChanged(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  listed: readonly NamedRow[],
  stateOf: () => string,
): void {
  const planned = new Map(before);
  for (const row of listed) {
    if (row.submissionId === null) planned.delete(nameOf(row));
    else planned.set(nameOf(row), stateOf());
  }
  expect(after).toEqual(planned);
}

/** A property over ledgers and selections; a selection that names nothing there is proves nothing. */
async function overLedgers(
  selectable: Selectable,
  holds: (ledger: Ledger, selection: Selection) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, chosen, async (events, value) => {
      const ledger = await ledgerAfter(events);
      const selection = await selectionFor(ledger, value, selectable);
      if (selection !== null) await holds(ledger, selection);
      expect(await imbalances(ledger)).toEqual([]);
    }),
    { numRuns: samples(60) },
  );
}

describe('when nothing else happens in between', () => {
  it('a dismissal dismisses the rows that its plan lists and counts, and no others', async () => {
    await overLedgers(DISMISSABLE, async (ledger, selection) => {
      const context = actionContext(ledger);
      const before = await standing(ledger);
      const planned = await dismiss.plan(context, { selection });
      const listed = await collected(dismissedRows(context, planned));
      expect(await standing(ledger)).toEqual(before);
      expect(planned.first).toEqual(listed.slice(0, planned.first.length));
      const done = await dismiss.carryOut(context, planned, decider('ada'), 'left');
      expect(listed).toHaveLength(planned.rows.total);
      expect(done.moved + done.resolved).toBe(planned.rows.total);
      expectChanged(before, await standing(ledger), listed, () => 'dismissed');
      expect((await dismiss.plan(context, { selection })).rows.total).toBe(0);
    });
  });

  it('a rerun requeues the rows that its plan lists, and sends as many to each environment as the plan says', async () => {
    await overLedgers(RERUNNABLE, async (ledger, selection) => {
      const context = actionContext(ledger);
      const before = await standing(ledger);
      const planned = await rerun.plan(context, { selection });
      const listed = (await collected(rerunRows(context, planned))).map(({ row }) => row);
      expect(await standing(ledger)).toEqual(before);
      const { listed: unknown } = await unknownLearners(ledger, {}, 100);
      const isAnyoneOnHold = unknown.some(({ hold }) => hold !== null);
      const runId = await beginRun(ledger, 'rerun', thisProcess(), 'test');
      const put = await requeueRows(context, planned, decider('ada'), null, runId);
      expect(put.moved).toBe(planned.rows.total);
      expectChanged(before, await standing(ledger), listed, () => 'waiting');

      const ids = new Set(listed.map(({ submissionId }) => submissionId));
      const sent = new Map(
        await mapSeries(put.environments, async (name) => [
          name,
          await deliver(ledger, name, () => ACCEPTED, put.decisionId),
        ]),
      );
      const requests = [...sent].map(([name, all]) => [name, all.filter((id) => ids.has(id)).length]);
      expect(Object.fromEntries(requests.filter(([, count]) => count !== 0))).toEqual(
        Object.fromEntries(planned.environments.map((one) => [one.environment, one.requests])),
      );
      const others = [...sent.values()].flat().filter((id) => !ids.has(id));
      expect(others).toEqual(expect.arrayContaining([...planned.ahead]));
      // What waits for a learner whom the platform doesn't know goes once a row of theirs is accepted.
      if (planned.ahead.size === 0 && !isAnyoneOnHold) expect(others).toEqual([]);
      const after = await standing(ledger);
      expect(listed.filter((row) => after.get(nameOf(row)) === 'replaced')).toHaveLength(planned.replaced);
      expect(listed.filter((row) => after.get(nameOf(row)) === 'accepted')).toHaveLength(planned.requests);
    });
  });
});
