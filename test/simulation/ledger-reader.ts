import { collected } from '../../src/domain/process/series.js';
import { STATES } from '../../src/domain/submission.js';
import { unknownLearners } from '../../src/ledger/books/unknown-learners.js';
import type { TracedDrop } from '../../src/ledger/drops/published-drops.js';
import { clientRef, quotaUse } from '../../src/ledger/permits/quota.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { countSelected } from '../../src/ledger/submissions/select/selection.js';
import { readTrace } from '../../src/ledger/trace/read-trace.js';
import type { TracedLife } from '../../src/ledger/trace/submission-life.js';
import { listedAttempts } from '../support/listed-attempts.js';
import { type SelectedSubmission, select } from '../support/select.js';
import {
  type AnswerFact,
  type AttemptFact,
  type Facts,
  learnerKey,
  type PermitFact,
  recordKey,
  type SubmissionFact,
  type TransitionFact,
} from './ledger-facts.js';

/** What has happened in the ledger since it was last read. */
export interface LedgerNews {
  readonly transitions: readonly TransitionFact[];
  readonly attempts: readonly AttemptFact[];
  readonly strays: readonly number[];
  readonly answers: readonly AnswerFact[];
  readonly before: ReadonlyMap<number, SubmissionFact>;
}

const NOTHING: LedgerNews = {
  transitions: [],
  attempts: [],
  strays: [],
  answers: [],
  before: new Map(),
};

/** More than any world has. */
const ALL = 100_000;

/**
 * Reads from the ledger what is new since the last read: which rows changed state, and which requests there are;
 * then traces those rows. Keeps what it finds in `facts`.
 * @returns the reader. `all`: every row is traced, whether it changed state or not.
 */
export function ledgerReader(facts: Facts): (ledger: Ledger, all: boolean) => Promise<LedgerNews> {
  const latestState = new Map<number, string>();
  let lastAttempt = 0;
  let attemptsRead = 0;
  let responsesRead = 0;
  let counted = '';
  return async (ledger, all) => {
    // What has added nothing to these has moved no row.
    const { rows, transitions, attempts, responses } = await ledgerTotals(ledger);
    const counts = `${rows} ${transitions} ${attempts} ${responses}`;
    if (counts === counted && !all) return NOTHING;
    counted = counts;
    const moved = new Set<number>();
    const at = new Map<string, number>();
    for (const { submissionId, state, code, file, line } of await allSubmissions(ledger)) {
      at.set(`${file}:${line}`, submissionId);
      const stand = `${state} ${code}`;
      if (all || latestState.get(submissionId) !== stand) moved.add(submissionId);
      latestState.set(submissionId, stand);
    }
    const strays: number[] = [];
    const listed = attempts === attemptsRead ? [] : await collected(listedAttempts(ledger));
    attemptsRead = attempts;
    for (const { attemptId, file, line } of listed) {
      if (attemptId <= lastAttempt) continue;
      lastAttempt = attemptId;
      const id = at.get(`${file}:${line}`);
      if (id === undefined) strays.push(attemptId);
      else moved.add(id);
    }
    // An answer that comes late may leave its row where it is.
    if (responses !== responsesRead) for (const id of awaitingAnswer(facts)) moved.add(id);
    responsesRead = responses;
    await readHolds(facts, ledger);
    return { strays, ...(await readLives(facts, ledger, moved)) };
  };
}

/** The rows to whose requests the platform has not answered yet, whether a process waits for that or not. */
function awaitingAnswer({ submissions }: Facts): number[] {
  return [...submissions.values()]
    .filter(({ attempts }) => attempts.some(({ answers }) => answers.every(({ status }) => status === null)))
    .map(({ id }) => id);
}

/** Of the states in which there are any: each state that is selected costs a question. */
async function allSubmissions(ledger: Ledger): Promise<readonly SelectedSubmission[]> {
  const { groups } = await countSelected(ledger, { states: STATES });
  const states = new Set(groups.map(({ state }) => state));
  return select(ledger, { states: STATES.filter((state) => states.has(state)) });
}

/** Which learners the platforms are taken not to know. */
async function readHolds({ onHold }: Facts, ledger: Ledger): Promise<void> {
  const { listed } = await unknownLearners(ledger, {}, ALL);
  onHold.clear();
  for (const { environment, hash, hold } of listed) {
    if (hold !== null) onHold.add(learnerKey(environment, hash));
  }
}

async function readLives(facts: Facts, ledger: Ledger, ids: ReadonlySet<number>) {
  const transitions: TransitionFact[] = [];
  const attempts: AttemptFact[] = [];
  const answers: AnswerFact[] = [];
  const before = new Map<number, SubmissionFact>();
  const lives = new Map<number, TracedLife>();
  const drops = new Map<number, TracedDrop>();
  for (const id of ids) {
    // A row's trace also has what it replaced and what replaced it.
    if (!lives.has(id)) {
      const traces = await readTrace(ledger, { what: `#${id}`, learners: [], searchAll: false });
      for (const life of traces.lives) lives.set(life.submission, life);
      for (const drop of traces.drops) drops.set(drop.dropId, drop);
    }
    const life = lives.get(id);
    const drop = drops.get(life?.drop ?? 0);
    if (life === undefined || !drop) throw new Error(`submission ${id} can't be traced`);
    const now = factOf(life, drop);
    const then = facts.submissions.get(id);
    if (then !== undefined) before.set(id, then);
    keep(facts, now);
    const moves = now.transitions.slice(then?.transitions.length ?? 0);
    transitions.push(...moves.map((move) => ({ ...move, submissionId: id })));
    for (const { attempt: attemptId, run: runId, answers: all } of now.attempts) {
      const known = then?.attempts.find((attempt) => attempt.attempt === attemptId);
      if (!known) attempts.push({ id: attemptId, environment: now.environment, runId, submissionId: id });
      answers.push(...all.slice(known?.answers.length ?? 0).map((answer) => ({ ...answer, attemptId })));
    }
  }
  attempts.sort((a, b) => a.id - b.id);
  answers.sort((a, b) => a.attemptId - b.attemptId);
  for (const attempt of attempts) facts.attempts.set(attempt.id, attempt);
  return { transitions, attempts, answers, before };
}

function factOf(life: TracedLife, { file, publishedAt }: TracedDrop): SubmissionFact {
  const { record, key } = life;
  const [learner = ''] = key.split('/');
  if (record === null) throw new Error(`submission ${life.submission} has no record`);
  return {
    id: life.submission,
    environment: life.environment,
    // Submissions of one slot have the same key but for its time.
    slot: key.slice(0, key.lastIndexOf('/')),
    key,
    learner,
    revision: life.revision,
    occurredAt: String(record['completed-at']),
    attributes: record,
    dropId: life.drop,
    file,
    publishedAt: publishedAt ?? '',
    state: life.state,
    priority: life.priority,
    nextAttemptAt: life.nextAttemptAt,
    transitions: life.transitions,
    attempts: life.attempts,
  };
}

function keep({ submissions, slots, byRecord }: Facts, fact: SubmissionFact): void {
  if (!submissions.has(fact.id)) {
    slots.set(fact.slot, [...(slots.get(fact.slot) ?? []), fact.id]);
    byRecord.set(recordKey(fact.environment, fact.attributes), fact.id);
  }
  submissions.set(fact.id, fact);
}

/** The permits with how many permits of each client id were taken when each was given: what the ledger counts now, without later ones. */
export async function withPermitsTaken(
  ledger: Ledger,
  permits: readonly Omit<PermitFact, 'permitsTaken'>[],
): Promise<PermitFact[]> {
  const counted = new Map<string, number>();
  for (const clientId of new Set(permits.map((permit) => permit.clientId))) {
    counted.set(clientId, (await quotaUse(ledger, clientRef(clientId))).permits);
  }
  return permits.map((permit, index) => {
    const later = permits.slice(index + 1).filter(({ clientId }) => clientId === permit.clientId).length;
    return { ...permit, permitsTaken: (counted.get(permit.clientId) ?? 0) - later };
  });
}
