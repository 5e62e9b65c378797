import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Config, configSchema } from '../src/config/schema.js';
import type { Outcome } from '../src/domain/outcome.js';
import { prepareRestored } from '../src/ledger/after-restore.js';
import { type Answer, recordAnswer } from '../src/ledger/answers.js';
import { attentionRows } from '../src/ledger/attention.js';
import { attentionSamples } from '../src/ledger/attention-samples.js';
import { claim, findDue } from '../src/ledger/claims.js';
import { refuseDrop } from '../src/ledger/drops.js';
import { releaseLease } from '../src/ledger/leases.js';
import { closeLedger, openLedger } from '../src/ledger/open.js';
import type { Ledger } from '../src/ledger/query.js';
import { recheckLearners } from '../src/ledger/rechecks.js';
import { submissionLife } from '../src/ledger/submission-life.js';
import { unknownLearners } from '../src/ledger/unknown-learners.js';
import { createCourse } from '../src/operations/create-course.js';
import { deleteSkills } from '../src/operations/delete-skills.js';
import { whoActs } from '../src/report/guide/who-acts.js';
import { nextStep } from '../src/report/next-step.js';
import { renderJson } from '../src/report/render-json.js';
import { reconcile } from '../src/report/report.js';
import { rerunsOf } from '../src/report/reruns-of.js';
import { statusOf } from '../src/report/status.js';
import { stageContent } from './staging/staging-bench.js';
import { decide } from './support/decide.js';
import { decider } from './support/decider.js';
import { csvOf, exportRow } from './support/exports.js';
import { hurt } from './support/hurt.js';
import { type ManualClock, manualClock } from './support/manual-clock.js';
import { select } from './support/select.js';
import { ACCEPTED, mustLease, stage, stageRecords, states, TEST_POLICY } from './support/staged-ledger.js';
import { tempFolder } from './support/temp-folder.js';

/** Words for people that a ledger keeps. What code must know of them stands in a column of its own. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  transition: ['words'],
  response: ['reason', 'error_title'],
  response_text: ['body', 'detail', 'source'],
  issue: ['message', 'remedy'],
  drop: ['refusal'],
  decision: ['because'],
};

/** The file of a ledger, and what its clock says. */
interface Kept {
  readonly bytes: Buffer;
  readonly at: string;
}

const address = 'https://platform.example';
const config: Config = configSchema.parse({
  environments: { main: { baseUrl: address, authUrl: address, clientId: 'a', clientSecret: 'b' } },
  sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main' }],
});

/** What is asked of a ledger, or done to it: the answer without the words. */
const QUESTIONS: Readonly<Record<string, (ledger: Ledger, clock: ManualClock) => unknown>> = {
  'the states': (ledger) => states(ledger),
  status: (ledger) => {
    const { setAside, ...rest } = statusOf(ledger, config, [], null);
    return { ...rest, setAside: setAside.map(({ refusal: _, ...drop }) => drop) };
  },
  'the report': (ledger) => {
    const report = reconcile(ledger, {});
    const { files, ...rest } = renderJson({ ...report, files: [] });
    return { rest, files, reruns: rerunsOf(report, 1) };
  },
  'the rows of each cause': (ledger) =>
    reconcile(ledger, {}).causes.map((cause) =>
      attentionSamples(ledger, {}, cause, 9).map(({ line }) => line),
    ),
  'who acts on a row': (ledger) =>
    drops(ledger).flatMap((dropId) =>
      Array.from(attentionRows(ledger, dropId), (row) => [
        row.line,
        row.state,
        row.cause,
        row.code,
        whoActs(row),
      ]),
    ),
  'what comes next for each submission': (ledger) =>
    ids(ledger).map((id) => {
      const life = submissionLife(ledger, id);
      return (
        life && [nextStep(ledger, config, life), life.transitions.map(({ cause, event }) => [event, cause])]
      );
    }),
  'which rows each code selects': (ledger) => codes(ledger).map((code) => [code, selected(ledger, code)]),
  'whom the platform does not know': (ledger) => unknownLearners(ledger, 9).map(({ rows }) => rows),
  'what leaves next, and how': (ledger, clock) => drain(ledger, clock),
  'what a rerun of each code sends': (ledger, clock) => [
    drain(ledger, clock),
    codes(ledger).map((code) => [code, moved(ledger, 'rerun', code), drain(ledger, clock)]),
  ],
  'what a dismissal of each code leaves': (ledger) => [
    codes(ledger).map((code) => moved(ledger, 'dismiss', code)),
    states(ledger),
  ],
  'whom a recheck asks again': (ledger, clock) => {
    clock.pass(3_600_000);
    recheckLearners(ledger, 'main', { afterMs: 1_000, times: 4 }, 1);
    return [states(ledger), drain(ledger, clock), states(ledger)];
  },
  'what a restored backup holds': (ledger) => {
    prepareRestored(ledger, null, { who: decider('ada'), because: 'x', strangeDrop: 0 });
    return states(ledger);
  },
};

it.each(Object.entries(QUESTIONS))('a reworded sentence changes nothing: %s', async (_, ask) => {
  const [plain, reworded] = await both();
  const answer = answerOf(plain, ask);
  expect(answerOf(reworded, ask)).toEqual(answer);
});

it('the ledger that is reworded has rows in each state that somebody decides about, and of each way to leave', async () => {
  const [plain] = await both();
  const found = answerOf(plain, (ledger) => [
    new Set(states(ledger)),
    codes(ledger),
    reconcile(ledger, {}).existing,
  ]);
  expect(found).toEqual([
    new Set([
      'accepted',
      'waiting',
      'rejected',
      'failed',
      'in-doubt',
      'held:learner-unknown',
      'held:out-of-order',
      'held:amended',
      'dismissed',
    ]),
    expect.arrayContaining([
      'bad-request',
      'learner-unknown',
      'HTTP 503',
      'no-answer',
      'out-of-order',
      'amended',
    ]),
    { existed: 1, revived: 1 },
  ]);
  const left = answerOf(plain, (ledger, clock) => drain(ledger, clock));
  expect(left.filter(({ operation }) => operation === 'delete-skills').map(({ count }) => count)).toEqual([
    1, 1,
  ]);
  expect(left.filter(({ revives }) => revives)).toHaveLength(1);
});

let made: Promise<readonly [Kept, Kept]> | undefined;

/** A ledger, and the same with other words: made by the first test that asks. */
function both(): Promise<readonly [Kept, Kept]> {
  made ??= build().then((plain) => [plain, rewrite(plain)]);
  return made;
}

/** Rows of every state that somebody or something must decide about, each with words beside its cause. */
async function build(): Promise<Kept> {
  const clock = manualClock();
  const path = join(tempFolder(), 'registrar.db');
  const ledger = openLedger(path, clock);
  await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' })]));
  const { runId } = stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z' }]);
  const lease = mustLease(ledger, 'push:main');
  const deliver = (
    outcome: Outcome,
    status: number | null,
    more: Partial<Answer> = {},
    onUnknown = 'resend',
  ) => {
    const latest = ids(ledger).at(-1) ?? 0;
    const first = deliverable(ledger, latest);
    const claimed = claim(ledger, lease, first, runId);
    if (claimed === null) throw new Error(`submission ${first} can't be sent`);
    const told = { ...toldOf(outcome, status), ...more };
    const policy = { ...TEST_POLICY, onUnknown: onUnknown as 'resend' | 'hold' };
    recordAnswer(ledger, claimed.attemptId, told, policy, runId);
  };
  deliver(ACCEPTED, 201);
  // Overtaken, and corrected.
  stage(ledger, [{ user: 'late@example.com', at: '2026-01-01T09:00:00.000Z' }]);
  stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z', percentile: 7 }]);
  stage(ledger, [{ user: 'refused@example.com' }]);
  deliver(refusal('bad-request', 'bad-request: No such course'), 400);
  stage(ledger, [{ user: 'unknown@example.com', content: 'C-1' }]);
  deliver(
    { kind: 'rejected', cause: 'learner-unknown', reason: 'bad-request: Invalid user identifier' },
    400,
  );
  stage(ledger, [{ user: 'unknown@example.com', content: 'C-2' }]);
  stage(ledger, [{ user: 'failed@example.com' }]);
  for (let time = 0; time < TEST_POLICY.maxTries; time += 1) {
    deliver(FAULT, 503);
    clock.pass(60_000);
  }
  stage(ledger, [{ user: 'doubted@example.com' }]);
  deliver({ kind: 'unknown', cause: 'no-answer', reason: 'no answer in time' }, null, {}, 'hold');
  const course = (id: string) => stageRecords(ledger, createCourse, [{ 'content-id': id, title: id }]);
  course('EXISTED');
  deliver({ kind: 'accepted', platformId: null, existed: true }, 409);
  course('REVIVED');
  deliver(EXISTS, 409, { revival: 'may-follow' });
  deliver(ACCEPTED, 200, { revival: 'done' });
  course('TO-REVIVE');
  deliver(EXISTS, 409, { revival: 'may-follow' });
  stageRecords(
    ledger,
    deleteSkills,
    ['A', 'B'].map((skill) => ({ 'content-id': 'C-1', skill })),
  );
  deliver(refusal('bad-request', 'bad-request: One of them is wrong'), 400);
  stage(ledger, [{ user: 'throttled@example.com' }]);
  deliver(
    {
      kind: 'throttled',
      code: 'quota-exceeded',
      reason: 'quota-exceeded: Later',
      retryAfterMs: null,
      quota: null,
    },
    429,
  );
  stage(ledger, [{ user: 'backing-off@example.com' }]);
  deliver(FAULT, 503);
  refuseDrop(ledger, { ...UNREADABLE, runId }, 'The file is damaged: it ends within a row.');
  const first = { kind: 'dismiss', who: decider('ada'), because: 'entered by hand', selection: {} } as const;
  decide(ledger, first, select(ledger, { states: ['held'], cause: 'amended' }), null);
  stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z', percentile: 8 }]);
  releaseLease(ledger, lease);
  const at = new Date(clock.nowMs()).toISOString();
  ledger.sqlite.pragma('journal_mode = delete');
  closeLedger(ledger);
  return { bytes: readFileSync(path), at };
}

const FAULT: Outcome = {
  kind: 'transient',
  code: 'HTTP 503',
  reason: 'HTTP 503: Down for now',
  retryAfterMs: null,
  mayBeWritten: true,
};
const EXISTS: Outcome = { ...refusal('conflict', 'conflict: Resource already exists'), exists: true };

const UNREADABLE = {
  source: 'academy',
  identity: { sha256: 'f'.repeat(64), bytes: 1 },
  fileName: 'cut.xlsx',
  operation: 'submit-completion',
  environment: 'main',
  isLeft: false,
  format: null,
} as const;

function refusal(code: string, reason: string): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', cause: 'platform-refused', code, reason };
}

/** An answer with as many words as the platform can give. */
function toldOf(outcome: Outcome, status: number | null): Answer {
  const error = { id: 'e-1', code: 'said', title: 'Said', detail: 'What it said.', source: 'x' };
  const body = '{"errors":[{"detail":"What it said."}]}';
  return {
    outcome,
    response:
      status === null
        ? null
        : {
            status,
            headers: {},
            body,
            bodyState: 'complete',
            error: status < 300 ? null : error,
            platformId: null,
          },
    failure: status === null ? { code: 'deadline' } : null,
    durationMs: 5,
  };
}

/** The ledger with other words, otherwise the same. */
function rewrite({ bytes, at }: Kept): Kept {
  const path = join(tempFolder(), 'registrar.db');
  writeFileSync(path, bytes);
  const ledger = openLedger(path, manualClock(at));
  for (const [table, columns] of Object.entries(WORDS)) {
    for (const column of columns) {
      const { count } = ledger.sqlite.prepare(`select count(${column}) as count from "${table}"`).get() as {
        count: number;
      };
      expect({ table, column, count }).not.toMatchObject({ count: 0 });
      hurt(ledger, `update "${table}" set ${column} = 'Quite: other words' where ${column} is not null`);
    }
  }
  ledger.sqlite.pragma('journal_mode = delete');
  closeLedger(ledger);
  return { bytes: readFileSync(path), at };
}

/** The answer of a copy, so that what a question changes is changed for it alone. */
function answerOf<T>({ bytes, at }: Kept, ask: (ledger: Ledger, clock: ManualClock) => T): T {
  const path = join(tempFolder(), 'registrar.db');
  writeFileSync(path, bytes);
  const clock = manualClock(at);
  const ledger = openLedger(path, clock);
  try {
    return ask(ledger, clock);
  } finally {
    closeLedger(ledger);
  }
}

interface Left {
  readonly first: number;
  readonly operation: string;
  readonly count: number;
  readonly revives: boolean;
}

/** Delivers all there is, each request accepted, and says what each was. */
function drain(ledger: Ledger, clock: ManualClock): Left[] {
  const lease = mustLease(ledger, 'push:main');
  const left: Left[] = [];
  for (;;) {
    const due = findDue(ledger, 'main', 1, 86_400_000);
    if (due.kind === 'nothing') break;
    if (due.kind === 'later') {
      clock.pass(60_000);
      continue;
    }
    const claimed = claim(ledger, lease, due.submissionId, 1);
    if (claimed === null) throw new Error(`submission ${due.submissionId} can't be sent`);
    const { attemptId, operation, revives, submissions } = claimed;
    left.push({ first: submissions[0].submissionId, operation, count: submissions.length, revives });
    const answer = { ...toldOf(ACCEPTED, 201), revival: revives ? ('done' as const) : undefined };
    recordAnswer(ledger, attemptId, answer, TEST_POLICY, 1);
  }
  releaseLease(ledger, lease);
  return left;
}

const OPEN = ['rejected', 'failed', 'in-doubt', 'held'] as const;

function selected(ledger: Ledger, code: string): number[] {
  return select(ledger, { states: OPEN, cause: code }).map(({ submissionId }) => submissionId);
}

function moved(ledger: Ledger, kind: 'rerun' | 'dismiss', code: string): number {
  const rows = select(ledger, { states: OPEN, cause: code });
  return decide(ledger, { kind, who: decider('ada'), because: 'x', selection: {} }, rows, null).moved;
}

/** As the plain ledger shows them; asked of the other one they are the same, which `status` compares. */
function codes(ledger: Ledger): string[] {
  return [...new Set(select(ledger, { states: OPEN }).map(({ code }) => code))].sort();
}

function ids(ledger: Ledger): number[] {
  return ledger.sqlite
    .prepare('select submission_id from submission order by submission_id')
    .pluck()
    .all() as number[];
}

function drops(ledger: Ledger): number[] {
  return ledger.sqlite.prepare('select drop_id from "drop" order by drop_id').pluck().all() as number[];
}

/** The first of the latest drop's submissions. */
function deliverable(ledger: Ledger, latest: number): number {
  return ledger.sqlite
    .prepare(
      `select min(submission_id) from submission
       where drop_id = (select drop_id from submission where submission_id = ?)`,
    )
    .pluck()
    .get(latest) as number;
}
