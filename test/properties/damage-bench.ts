import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { checkLedger } from '../../src/actions/doctor/check-ledger.js';
import { learnersNamed } from '../../src/actions/learners/learners-named.js';
import { describeFailure } from '../../src/cli/describe-failure.js';
import { explainError } from '../../src/cli/explain-error.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { closeLedger, disconnect, openLedger } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { reconcile } from '../../src/report/report.js';
import { trace } from '../../src/report/trace/trace.js';
import { writeReport } from '../../src/report/write-report.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';
import { stageContent } from '../staging/staging-bench.js';
import { actionContext } from '../support/action-context.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { lives } from '../support/ledger-trace.js';
import { manualClock } from '../support/manual-clock.js';
import {
  ACCEPTED,
  answerOf,
  deliverNext,
  mustLease,
  REJECTED,
  TEST_POLICY,
} from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

const ROWS = 12;

/** The outcome for a ledger of which one bit was changed. */
interface Outcome {
  /** Records that were claimed, by submission; each must be what was staged. */
  readonly sent: ReadonlyMap<number, string>;
  /** How the program would have ended. */
  readonly exits: readonly string[];
  /** What `doctor --deep` and the books say is wrong; none: the change touched nothing. */
  readonly problems: readonly string[];
  /** All that a terminal would show. */
  readonly output: string;
}

/** A ledger with rows that are accepted, refused, invalid, repeated and waiting; and what was staged. */
async function soundLedger(path: string): Promise<ReadonlyMap<number, string>> {
  const ledger = openLedger(path, manualClock());
  await stageContent(ledger, csvOf([...exportRows(ROWS), exportRow(0), exportRow(90, { at: 'never' })]));
  const lease = await mustLease(ledger, 'push:main');
  for (const outcome of [ACCEPTED, REJECTED, ACCEPTED]) await deliverNext(ledger, lease, 1, outcome);
  await releaseLease(ledger, lease);
  const staged = (await lives(ledger)).map(
    ({ submission: submissionId, record }) => [submissionId, JSON.stringify(record)] as const,
  );
  closeLedger(ledger);
  return new Map(staged);
}

/** Places of bytes in use, by what they belong to, so that a small table is hit as often as a large index. */
function placesOf(path: string): ReadonlyMap<string, readonly number[]> {
  const sqlite = new BetterSqlite3(path, { readonly: true });
  const pages = sqlite.prepare('select name, pgoffset as at, pgsize as size from dbstat').all() as {
    name: string;
    at: number;
    size: number;
  }[];
  sqlite.close();
  const bytes = readFileSync(path);
  const places = new Map<string, number[]>([['header', Array.from({ length: 100 }, (_, at) => at)]]);
  for (const { name, at, size } of pages) {
    const used = places.get(name) ?? [];
    for (let place = at; place < at + size; place += 1) if (bytes[place] !== 0) used.push(place);
    places.set(name, used);
  }
  return places;
}

/**
 * Changes one bit of a sound ledger in each of many rounds, and does with it what runs, reports, traces and doctor do.
 * @returns what went wrong: a bug, a row that was sent as something else, a person shown, a row that no message reports.
 */
export async function damageInTurn(rounds: number, seed: number): Promise<string[]> {
  const folder = tempFolder();
  const sound = join(folder, 'sound.db');
  const staged = await soundLedger(sound);
  const places = placesOf(sound);
  const names = [...places.keys()];
  const bytes = readFileSync(sound);
  const config = configSchema.parse({
    environments: {
      main: { baseUrl: 'https://p.example', authUrl: 'https://p.example', clientId: 'c', clientSecret: 's' },
    },
    sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main', timeZone: 'UTC' }],
  });
  const untouched = await use(sound, config, folder, 'sound');
  if (untouched.exits.length + untouched.problems.length > 0 || untouched.sent.size !== ROWS - 3) {
    return [`the sound one: ${untouched.exits} ${untouched.problems}`];
  }

  const wrong: string[] = [];
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  // Few rounds are spread over all that the file has.
  const step = Math.max(1, names.length / rounds);
  for (let round = 0; round < rounds; round += 1) {
    const name = names[Math.floor(round * step) % names.length] ?? '';
    const place = pick(places.get(name) ?? []);
    const bit = Math.floor(random() * 8);
    const path = join(folder, 'damaged.db');
    for (const suffix of ['-wal', '-shm']) writeFileSync(path + suffix, '');
    const damaged = Buffer.from(bytes);
    damaged[place] = (damaged[place] ?? 0) ^ (1 << bit);
    writeFileSync(path, damaged);
    const outcome = await use(path, config, folder, `${round}`);
    const { sent, exits, problems, output } = outcome;
    const say = (what: string) =>
      wrong.push(
        `${round} ${name} ${place} bit ${bit}: ${what} ${exits} ${problems} ${output.slice(0, 300)}`,
      );
    if (exits.includes('bug')) say('a bug');
    for (const [id, record] of sent) if (staged.get(id) !== record) say(`#${id} was sent as something else`);
    if (/@example\.org/.test(output)) say('shows a person');
    const isAll = sent.size === untouched.sent.size;
    if (!isAll && exits.length === 0 && problems.length === 0) say('rows are missing, and no report says so');
  }
  return wrong;
}

/** The outcome of runs, a report, a trace and doctor. */
async function use(path: string, config: Config, folder: string, round: string): Promise<Outcome> {
  const sent = new Map<number, string>();
  const exits: string[] = [];
  const problems: string[] = [];
  let output = '';
  const noting = async (ledger: Ledger | null, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      const failure = describeFailure(
        ledger === null ? error : await explainError(actionContext(ledger), error),
      );
      exits.push(failure.exit);
      output += failure.text;
    }
  };
  let opened: Ledger | null = null;
  await noting(null, async () => {
    opened = openLedger(path, manualClock());
  });
  const ledger = opened as Ledger | null;
  if (ledger === null) return { sent, exits, problems, output };
  await noting(ledger, async () => deliverAll(ledger, sent));
  await noting(ledger, async () => {
    const report = await reconcile(ledger, {}, { environments: config.environments });
    if (!report.balanced) problems.push('unbalanced');
    if (report.states.held > 0) problems.push('held');
    await writeReport(
      ledger,
      report,
      join(folder, `reports-${round}`),
      ['terminal', 'csv', 'json', 'html'],
      config,
    );
  });
  await noting(ledger, async () => {
    for (const what of ['#2', 'learner5@example.org', 'drop.csv:15']) {
      await trace(
        ledger,
        config,
        { what, learners: learnersNamed(ledger, what), searchAll: true },
        Number.POSITIVE_INFINITY,
      );
    }
  });
  await noting(ledger, async () => {
    for await (const { verdict, message } of checkLedger(ledger, true)) {
      output += message;
      if (verdict === 'broken') problems.push(message);
    }
  });
  await disconnect(ledger);
  return { sent, exits, problems, output };
}

/** As pushing does, but without a wait. */
async function deliverAll(ledger: Ledger, sent: Map<number, string>): Promise<void> {
  const lease = await mustLease(ledger, 'push:main');
  for (let idle = 0; idle < 3; ) {
    const due = await findDue(ledger, { environment: 'main', runId: 1 });
    const claimed = due.kind === 'ready' ? await claim(ledger, lease, due.submissionId, 1) : null;
    if (claimed === null) {
      idle += 1;
      continue;
    }
    for (const { submissionId, record } of claimed.submissions)
      sent.set(submissionId, JSON.stringify(record.fields));
    await recordAnswer(ledger, claimed.attemptId, answerOf(ACCEPTED), TEST_POLICY, 1);
  }
}
