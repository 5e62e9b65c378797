import type { DatabaseFacts } from '../../ledger/store/database-facts.js';
import { type Finding, findings } from './finding.js';

const { ok, attention, broken } = findings('ledger', 'io');

const OLDEST_VERSION = 15;

/** A delivery takes some ten queries: at this round trip it takes a second. */
const SLOW_MS = 100;

/** Minutes apart don't matter to the ledger, and a person who reads times should know. */
const APART_MS = 300_000;

/** Whether a database is one that a ledger can rely on. @param database what people know it by. */
export function* checkDatabase(database: string, facts: DatabaseFacts): Generator<Finding> {
  const { version, encoding, roundTripMs, aheadMs } = facts;
  if (Number.parseInt(version, 10) < OLDEST_VERSION) {
    yield broken(
      database,
      `is PostgreSQL ${version}, and Registrar needs ${OLDEST_VERSION} or newer`,
      'Upgrade the server; its tools bring the database along.',
    );
  } else yield ok(database, `is PostgreSQL ${version}, and answers in ${Math.round(roundTripMs)} ms`);
  if (encoding !== 'UTF8') {
    yield broken(
      database,
      `its encoding is ${encoding}: it can't hold every name`,
      'Create the database again, with encoding UTF8.',
    );
  }
  if (roundTripMs > SLOW_MS) {
    yield attention(
      database,
      `an answer takes ${Math.round(roundTripMs)} ms, so that deliveries fall behind the quota`,
      'Run Registrar nearer to the database, in the same region or data centre.',
    );
  }
  if (Math.abs(aheadMs) > APART_MS) {
    yield attention(
      database,
      `its clock and this machine's are ${Math.round(Math.abs(aheadMs) / 60_000)} minutes apart; the ledger goes by the database's`,
      'Set both clocks, by NTP if possible.',
    );
  }
  if (!facts.isPrivate) {
    yield attention(
      database,
      'the connection is not encrypted, and learners are in what it carries',
      'Add sslmode=verify-full to the address, and have the server speak TLS.',
    );
  }
  if (facts.mayRewrite) {
    yield attention(
      database,
      'the role is a superuser, which may rewrite what is append-only',
      'Give Registrar a role of its own without further rights: see docs/deploy.md.',
    );
  }
}
