import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rerunsOf } from '../src/cli/show-run.js';
import { type Config, configSchema } from '../src/config/schema.js';
import { healthFrom } from '../src/domain/health/health.js';
import type { Outcome } from '../src/domain/outcome.js';
import { collected, mapSeries } from '../src/domain/process/series.js';
import { STATES } from '../src/domain/submission.js';
import { type Answer, recordAnswer } from '../src/ledger/attempts/answers.js';
import { readBooks } from '../src/ledger/books/read-books.js';
import { attentionRows } from '../src/ledger/books/rows/listed-rows.js';
import { unknownLearners } from '../src/ledger/books/unknown-learners.js';
import { prepareRestored } from '../src/ledger/decisions/after-restore.js';
import { refuseDrop } from '../src/ledger/drops/refused/refuse-drop.js';
import { releaseLease } from '../src/ledger/leases/leases.js';
import { closeLedger, openLedger } from '../src/ledger/store/open.js';
import type { Ledger } from '../src/ledger/store/query.js';
import { claim, findDue } from '../src/ledger/submissions/claims.js';
import { recheckLearners } from '../src/ledger/submissions/rechecks.js';
import { tracedLife } from '../src/ledger/trace/submission-life.js';
import { createCourse } from '../src/operations/course.js';
import { deleteSkills } from '../src/operations/relate-skills.js';
import { reconcile, renderJson } from '../src/report/report.js';
import { statusOf } from '../src/report/status/status.js';
import { nextStep } from '../src/report/trace/trace.js';
import { actorOf } from '../src/report/words/causes.js';
import { stageContent } from './staging/staging-bench.js';
import { damageLedger } from './support/damage.js';
import { decide } from './support/decide.js';
import { decider } from './support/decider.js';
import { csvOf, exportRow } from './support/exports.js';
import { type ManualClock, manualClock } from './support/manual-clock.js';
import { select } from './support/select.js';
import { ACCEPTED, mustLease, stage, stageRecords, states, TEST_POLICY } from './support/staged-ledger.js';
import { tempFolder } from './support/temp-folder.js';

/** Words for people that a ledger keeps. Facts that code needs are in columns of their own. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  transition: ['reason'],
  response: ['reason', 'error_title'],
  response_text: ['body', 'detail', 'source'],
  issue: ['message', 'remedy'],
  drop_file: ['refusal'],
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

/** A query to a ledger, or a change of it: the answer without the words. */
const QUESTIONS: Readonly<Record<string, (ledger: Ledger, clock: ManualClock) => Promise<unknown>>> = {
  'the states': async (ledger) => await states(ledger),
  status: async (ledger) => {
    const { refusedFiles, ...rest } = await statusOf(
      ledger,
      config,
      { unmatched: [], health: healthFrom([], [], []) },
      null,
    );
    return { ...rest, refusedFiles: refusedFiles.map(({ refusal: _, ...drop }) => drop) };
  },
  'the report': async (ledger) => {
    const report = await reconcile(ledger, {});
    const { files, ...rest } = renderJson({ ...report, files: [] });
    return { rest, files, reruns: rerunsOf(report, 1) };
  },
  'who acts on a row': async (ledger) =>
    (
      await mapSeries(await drops(ledger), async (dropId) =>
        (
          await collected(await attentionRows(ledger, dropId))
        ).map((row) => [row.line, row.state, row.cause, row.code, actorOf(row)]),
      )
    ).flat(),
  'what comes next for each submission': async (ledger) =>
    mapSeries(await ids(ledger), async (id) => {
      const life = await tracedLife(ledger, id);
      return (
        life && [
          nextStep(config, life, ledger.clock.nowMs()),
          life.transitions.map(({ cause, event }) => [event, cause]),
        ]
      );
    }),
  'which rows each code selects': async (ledger) =>
    mapSeries(await codes(ledger), async (code) => [code, await selected(ledger, code)]),
  'whom the platform does not know': async (ledger) =>
    (await unknownLearners(ledger, {}, 9)).listed.map(({ rows }) => rows),
  'what leaves next, and how': async (ledger, clock) => drain(ledger, clock),
  'what a rerun of each code sends': async (ledger, clock) => [
    await drain(ledger, clock),
    await mapSeries(await codes(ledger), async (code) => [
      code,
      await moved(ledger, 'rerun', code),
      await drain(ledger, clock),
    ]),
  ],
  'what a dismissal of each code leaves': async (ledger) => [
    await mapSeries(await codes(ledger), async (code) => moved(ledger, 'dismiss', code)),
    await states(ledger),
  ],
  'whom a recheck asks again': async (ledger, clock) => {
    clock.pass(3_600_000);
    await recheckLearners(ledger, 'main', { afterMs: 1_000, times: 4 }, 1);
    return [await states(ledger), await drain(ledger, clock), await states(ledger)];
  },
  'what a restored backup holds': async (ledger) => {
    await prepareRestored(ledger, null, { who: decider('ada'), because: 'x', foreignDropMax: 0 });
    return await states(ledger);
  },
};

it.each(Object.entries(QUESTIONS))('a reworded sentence changes nothing: %s', async (_, ask) => {
  const [plain, reworded] = await both();
  const answer = await answerOf(plain, ask);
  expect(await answerOf(reworded, ask)).toEqual(answer);
});

it('the reworded ledger has rows in each state that needs a decision, and of each way to leave', async () => {
  const [plain] = await both();
  const found = await answerOf(plain, async (ledger) => [
    new Set(await states(ledger)),
    await codes(ledger),
    (await reconcile(ledger, {})).existing,
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
  const left = await answerOf(plain, async (ledger, clock) => drain(ledger, clock));
  expect(left.filter(({ operation }) => operation === 'delete-skills').map(({ count }) => count)).toEqual([
    1, 1,
  ]);
  expect(left.filter(({ revives }) => revives)).toHaveLength(1);
});

let made: Promise<readonly [Kept, Kept]> | undefined;

/** A ledger, and the same with other words: made by the first test that needs it. */
function both(): Promise<readonly [Kept, Kept]> {
  made ??= build().then((plain) => [plain, rewrite(plain)]);
  return made;
}

/** Rows of every state that need a decision, each with words beside its cause. */
async function build(): Promise<Kept> {
  const clock = manualClock();
  const path = join(tempFolder(), 'registrar.db');
  const ledger = openLedger(path, clock);
  await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' })]));
  const { runId } = await stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z' }]);
  const lease = await mustLease(ledger, 'push:main');
  const deliver = async (
    outcome: Outcome,
    status: number | null,
    more: Partial<Answer> = {},
    onUnknown = 'resend',
  ) => {
    const latest = (await ids(ledger)).at(-1) ?? 0;
    const first = await deliverable(ledger, latest);
    const claimed = await claim(ledger, lease, first, runId);
    if (claimed === null) throw new Error(`submission ${first} can't be sent`);
    const answer = { ...answerFor(outcome, status), ...more };
    const policy = { ...TEST_POLICY, onUnknown: onUnknown as 'resend' | 'hold' };
    await recordAnswer(ledger, claimed.attemptId, answer, policy, runId);
  };
  await deliver(ACCEPTED, 201);
  // Overtaken, and corrected.
  await stage(ledger, [{ user: 'late@example.com', at: '2026-01-01T09:00:00.000Z' }]);
  await stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z', percentile: 7 }]);
  await stage(ledger, [{ user: 'refused@example.com' }]);
  await deliver(refusal('bad-request', 'bad-request: No such course'), 400);
  await stage(ledger, [{ user: 'unknown@example.com', content: 'C-1' }]);
  await deliver(
    { kind: 'rejected', cause: 'learner-unknown', reason: 'bad-request: Invalid user identifier' },
    400,
  );
  await stage(ledger, [{ user: 'unknown@example.com', content: 'C-2' }]);
  await stage(ledger, [{ user: 'failed@example.com' }]);
  for (let time = 0; time < TEST_POLICY.maxTries; time += 1) {
    await deliver(FAULT, 503);
    clock.pass(60_000);
  }
  await stage(ledger, [{ user: 'doubted@example.com' }]);
  await deliver({ kind: 'unknown', cause: 'no-answer', reason: 'no answer in time' }, null, {}, 'hold');
  const course = async (id: string) => stageRecords(ledger, createCourse, [{ 'content-id': id, title: id }]);
  await course('EXISTED');
  await deliver({ kind: 'accepted', platformId: null, existed: true }, 409);
  await course('REVIVED');
  await deliver(EXISTS, 409, { revival: 'may-follow' });
  await deliver(ACCEPTED, 200, { revival: 'done' });
  await course('TO-REVIVE');
  await deliver(EXISTS, 409, { revival: 'may-follow' });
  await stageRecords(
    ledger,
    deleteSkills,
    ['A', 'B'].map((skill) => ({ 'content-id': 'C-1', skill })),
  );
  await deliver(refusal('bad-request', 'bad-request: One of them is wrong'), 400);
  await stage(ledger, [{ user: 'throttled@example.com' }]);
  await deliver(
    {
      kind: 'throttled',
      code: 'quota-exceeded',
      reason: 'quota-exceeded: Later',
      retryAfterMs: null,
      quota: null,
    },
    429,
  );
  await stage(ledger, [{ user: 'backing-off@example.com' }]);
  await deliver(FAULT, 503);
  await refuseDrop(
    ledger,
    { ...UNREADABLE, runId },
    { code: 'drop-unreadable', text: 'The file is damaged: it ends within a row.' },
  );
  const first = { kind: 'dismiss', who: decider('ada'), because: 'entered by hand', selection: {} } as const;
  await decide(ledger, first, await select(ledger, { states: ['held'], cause: 'amended' }), null);
  await stage(ledger, [{ user: 'late@example.com', at: '2026-02-01T09:00:00.000Z', percentile: 8 }]);
  await releaseLease(ledger, lease);
  const at = new Date(clock.nowMs()).toISOString();
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
  isResumed: false,
  format: null,
} as const;

function refusal(code: string, reason: string): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', cause: 'platform-refused', code, reason };
}

/** An answer with as many words as the platform can give. */
function answerFor(outcome: Outcome, status: number | null): Answer {
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
      const words = `update "${table}" set ${column} = 'Quite: other words' where ${column} is not null`;
      const rows = damageLedger(ledger, words);
      expect({ table, column, rows }).not.toMatchObject({ rows: 0 });
    }
  }
  closeLedger(ledger);
  return { bytes: readFileSync(path), at };
}

/** The answer of a copy, so that a query's changes affect that copy alone. */
async function answerOf<T>(
  { bytes, at }: Kept,
  ask: (ledger: Ledger, clock: ManualClock) => Promise<T>,
): Promise<T> {
  const path = join(tempFolder(), 'registrar.db');
  writeFileSync(path, bytes);
  const clock = manualClock(at);
  const ledger = openLedger(path, clock);
  try {
    return await ask(ledger, clock);
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
async function drain(ledger: Ledger, clock: ManualClock): Promise<Left[]> {
  const lease = await mustLease(ledger, 'push:main');
  const left: Left[] = [];
  for (;;) {
    const due = await findDue(ledger, { environment: 'main', runId: 1 });
    if (due.kind === 'nothing') break;
    if (due.kind === 'later') {
      clock.pass(60_000);
      continue;
    }
    const claimed = await claim(ledger, lease, due.submissionId, 1);
    if (claimed === null) throw new Error(`submission ${due.submissionId} can't be sent`);
    const { attemptId, operation, revives, submissions } = claimed;
    left.push({ first: submissions[0].submissionId, operation, count: submissions.length, revives });
    const answer = { ...answerFor(ACCEPTED, 201), revival: revives ? ('done' as const) : undefined };
    await recordAnswer(ledger, attemptId, answer, TEST_POLICY, 1);
  }
  await releaseLease(ledger, lease);
  return left;
}

const OPEN = ['rejected', 'failed', 'in-doubt', 'held'] as const;

async function selected(ledger: Ledger, code: string): Promise<number[]> {
  return (await select(ledger, { states: OPEN, cause: code })).map(({ submissionId }) => submissionId);
}

async function moved(ledger: Ledger, kind: 'rerun' | 'dismiss', code: string): Promise<number> {
  const rows = await select(ledger, { states: OPEN, cause: code });
  return (await decide(ledger, { kind, who: decider('ada'), because: 'x', selection: {} }, rows, null)).moved;
}

/** As the plain ledger shows them; in the other one they are the same, which `status` compares. */
async function codes(ledger: Ledger): Promise<string[]> {
  return [...new Set((await select(ledger, { states: OPEN })).map(({ code }) => code))].sort();
}

async function ids(ledger: Ledger): Promise<number[]> {
  const all = await select(ledger, { states: STATES });
  return all.map(({ submissionId }) => submissionId).sort((a, b) => a - b);
}

async function drops(ledger: Ledger): Promise<number[]> {
  return (await readBooks(ledger, {})).files.map(({ drop }) => drop).sort((a, b) => a - b);
}

/** The first of the latest drop's submissions. */
async function deliverable(ledger: Ledger, latest: number): Promise<number> {
  const all = await select(ledger, { states: STATES });
  const dropId = all.find(({ submissionId }) => submissionId === latest)?.drop;
  return Math.min(...all.filter((one) => one.drop === dropId).map(({ submissionId }) => submissionId));
}
