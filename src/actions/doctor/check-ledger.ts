import { statSync } from 'node:fs';
import { type Clock, isoFromMs, msFromIso } from '../../domain/clock.js';
import { type DamagedContent, ledgerHealth } from '../../ledger/books/balance/ledger-health.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { type DatabaseFacts, databaseFacts, ledgerName } from '../../ledger/store/ledger-facts.js';
import type { Ledger } from '../../ledger/store/query.js';
import { unknownArchived } from '../../upkeep/expected-ledger.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Finding, findings } from './finding.js';

const ledgerFinding = findings('ledger', 'io');
const clockFinding = findings('clock', 'io');
const leaseFinding = findings('lease', 'io');
const workFinding = findings('work', 'io');

const READABLE_BY_OTHERS = 0o077;

/**
 * Whether the ledger is sound or its database fit, its books balance, and it is closed to others. Throws OperatorError where the
 * books can't be read for the damage.
 */
export async function* checkLedger(ledger: Ledger, isDeep: boolean): AsyncGenerator<Finding> {
  const path = ledgerName(ledger);
  const facts = await databaseFacts(ledger);
  const health = await ledgerHealth(ledger, isDeep ? 'deep' : 'quick');
  const { fault, imbalances } = health;
  const restore = 'Stop runs, and restore a backup: registrar restore FILE --because TEXT.';
  if (fault !== null) yield ledgerFinding.broken(path, `is damaged: ${fault}`, restore);
  else if (facts === null) yield ledgerFinding.ok(path, 'opens, and SQLite finds nothing wrong with it');
  else yield* checkDatabase(path, facts);
  if (health.damaged !== null) yield* checkContent(path, health.damaged, restore);
  if (imbalances === null) throw await damageOf(ledger, null);
  if (imbalances[0] === undefined) yield ledgerFinding.ok(path, 'its books balance');
  else {
    yield ledgerFinding.broken(
      path,
      `its books don't balance: ${imbalances.length} equations, the first for ${imbalances[0].subject}`,
      'Keep the ledger unchanged, and check the rows that registrar report names.',
      'unbalanced',
    );
  }
  if (ledger.file !== null && (statSync(path).mode & READABLE_BY_OTHERS) !== 0) {
    const message = 'other users of this machine can read it, and it holds personal data';
    yield ledgerFinding.attention(path, message, `chmod 600 ${path}`);
  }
}

const OLDEST_VERSION = 15;

/** A delivery takes some ten queries: at this round trip it takes a second. */
const SLOW_MS = 100;

/** The largest harmless difference of clocks: those that are set by the network differ by much less. */
const MAX_CLOCK_SKEW_MS = 300_000;

/** Whether a database is one that a ledger can rely on. @param database what people know it by. */
export function* checkDatabase(database: string, facts: DatabaseFacts): Generator<Finding> {
  const { ok, attention, broken } = ledgerFinding;
  const { version, encoding, roundTripMs, aheadMs } = facts;
  const skewMs = Math.abs(aheadMs);
  const answersIn = `${Math.round(roundTripMs)} ms`;
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) {
    yield ok(database, `is PostgreSQL ${version}, and answers in ${answersIn}`);
  } else {
    const message = `is PostgreSQL ${version}, and Registrar needs ${OLDEST_VERSION} or newer`;
    yield broken(database, message, 'Upgrade the server; its tools migrate the database.');
  }
  if (encoding !== 'UTF8') {
    const message = `its encoding is ${encoding}: it can't hold every name`;
    yield broken(database, message, 'Create the database again, with encoding UTF8.');
  }
  if (roundTripMs > SLOW_MS) {
    const message = `an answer takes ${answersIn}, so deliveries fall behind the quota`;
    yield attention(database, message, 'Run Registrar closer to the database.');
  }
  if (skewMs > MAX_CLOCK_SKEW_MS) {
    const apart = `${Math.round(skewMs / 60_000)} minutes apart`;
    const message = `its clock and this machine's are ${apart}; the ledger uses the database's`;
    yield attention(database, message, 'Set both clocks, by NTP if possible.');
  }
  if (!facts.isPrivate) {
    const message = 'the connection is not encrypted, and it carries learner data';
    yield attention(
      database,
      message,
      'Add sslmode=verify-full to the address, and have the server speak TLS.',
    );
  }
  if (facts.mayRewrite) {
    const message = 'the role is a superuser, which may rewrite what is append-only';
    yield attention(database, message, 'Give Registrar a role without further rights: see docs/deploy.md.');
  }
}

function* checkContent(path: string, { count, first }: DamagedContent, restore: string): Generator<Finding> {
  for (const { dropId, file, line } of first) {
    const record = `the record of line ${line} of ${file} (drop ${dropId})`;
    yield ledgerFinding.broken(path, `${record} is not what was written`, restore);
  }
  const more = count - first.length;
  if (more > 0) yield ledgerFinding.broken(path, `${more} more like these`, restore);
  if (count === 0) yield ledgerFinding.ok(path, 'its records are what was written');
}

/** When Registrar was made: no ledger has earlier times. */
const EARLIEST_MS = msFromIso('2025-01-01T00:00:00.000Z');

/** Checks that the clock is plausible. @param ledger null: there is none yet. */
export async function* checkClock(clock: Clock, ledger: Ledger | null): AsyncGenerator<Finding> {
  const nowMs = clock.nowMs();
  const now = isoFromMs(nowMs);
  const set = 'Set the clock, by NTP if possible.';
  const newest = ledger === null ? null : (await readState(ledger, ['work'])).work.newestRunAt;
  if (nowMs < EARLIEST_MS) {
    yield clockFinding.broken('this machine', `it says ${now}, which is in the past`, set);
  } else if (newest !== null && msFromIso(newest) > nowMs + MAX_CLOCK_SKEW_MS) {
    yield clockFinding.attention(
      'this machine',
      `it says ${now}, and a run began at ${newest}: it was set back`,
      `${set} The quota doesn't depend on it; work scheduled for a time of day starts later.`,
    );
  } else {
    yield clockFinding.ok('this machine', `it says ${now}`);
  }
}

/** Lists the work that is under way, and files that the ledger doesn't know. Health reports interrupted work. */
export async function* checkWork(ledger: Ledger, paths: WorkspacePaths): AsyncGenerator<Finding> {
  const { leases } = (await readState(ledger, ['work'])).work;
  for (const { name, pid, isAlive } of leases) {
    if (isAlive) yield leaseFinding.ok(name, `process ${pid} holds it and is working`);
    else {
      const message = `process ${pid} held it and is gone`;
      yield leaseFinding.attention(name, message, 'Nothing is lost: the next registrar run takes over.');
    }
  }
  if (leases.length === 0) yield leaseFinding.ok('all', 'no process is staging or delivering');
  if (leases.some(({ name, isAlive }) => name === 'stage' && isAlive)) return;

  for (const { subject, message, hint } of await unknownArchived(ledger, paths)) {
    yield workFinding.attention(subject, message, hint);
  }
}
