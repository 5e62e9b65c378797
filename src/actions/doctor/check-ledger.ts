import { existsSync, statSync } from 'node:fs';
import { type Clock, isoFromMs, isUnknownBoot, msFromIso } from '../../domain/clock.js';
import { countOf } from '../../domain/count-of.js';
import { damagedRows } from '../../ledger/checksum.js';
import { openDecisions } from '../../ledger/decision-log.js';
import { stagingDrop } from '../../ledger/drops.js';
import { ledgerHealth } from '../../ledger/health.js';
import { heldLeases } from '../../ledger/held-leases.js';
import { imbalances } from '../../ledger/imbalances.js';
import type { Ledger } from '../../ledger/query.js';
import { restoredAt } from '../../ledger/restored.js';
import { ledgerTotals } from '../../ledger/totals.js';
import { commandLine } from '../../report/command-line.js';
import { CARRIED_OUT_NEXT } from '../../report/open-decision.js';
import { unknownArchived } from '../../upkeep/unknown-archived.js';
import { listProcessing } from '../../workspace/claim-drop.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Finding, findings } from './finding.js';

const ledgerFinding = findings('ledger', 'io');
const clockFinding = findings('clock', 'io');
const leaseFinding = findings('lease', 'io');
const workFinding = findings('work', 'io');

const READABLE_BY_OTHERS = 0o077;

/** Whether the ledger's file is sound, its books balance, and it is closed to others. */
export function* checkLedger(ledger: Ledger, isDeep: boolean): Generator<Finding> {
  const { path } = ledger;
  const { damage, danglingRows, journalMode, schema } = ledgerHealth(ledger, isDeep ? 'full' : 'quick');
  const restore = 'Stop runs, and restore a backup: registrar restore FILE --because TEXT.';
  if (damage[0] !== undefined) yield ledgerFinding.broken(path, `is damaged: ${damage[0]}`, restore);
  else yield ledgerFinding.ok(path, 'opens, has this schema, and SQLite finds nothing wrong with it');
  if (danglingRows > 0) {
    yield ledgerFinding.broken(
      path,
      `${countOf(danglingRows, 'row refers', 'rows refer')} to rows that are not there`,
      restore,
    );
  }
  if (schema !== 'ours')
    yield ledgerFinding.broken(path, 'its tables are not those that Registrar makes', restore);
  if (isDeep) yield* checkContent(ledger, restore);
  if (journalMode !== 'wal') {
    yield ledgerFinding.attention(
      path,
      `its journal is "${journalMode}": another program has changed that`,
      'The next run sets it to wal again. Let no other program write to the ledger.',
    );
  }
  const wrong = imbalances(ledger);
  if (wrong[0] === undefined) yield ledgerFinding.ok(path, 'its books balance');
  else {
    yield ledgerFinding.broken(
      path,
      `its books don't balance: ${wrong.length} equations, the first for ${wrong[0].subject}`,
      'Keep the ledger as it is, and look at the rows that registrar report names.',
      'unbalanced',
    );
  }
  if ((statSync(path).mode & READABLE_BY_OTHERS) !== 0) {
    yield ledgerFinding.attention(
      path,
      'other users of this machine may read it, and it holds personal data',
      `chmod 600 ${path}`,
    );
  }
}

/** Whether records and kept cells are what was written. */
function* checkContent(ledger: Ledger, restore: string): Generator<Finding> {
  let damaged = 0;
  for (const { dropId, file, firstLine, lastLine, what } of damagedRows(ledger)) {
    damaged += 1;
    if (damaged > MOST_NAMED) continue;
    const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
    yield ledgerFinding.broken(
      ledger.path,
      `the ${what === 'cells' ? 'kept cells' : 'record'} of ${lines} of ${file} (drop ${dropId}) ${what === 'cells' ? 'are' : 'is'} not what was written`,
      `${commandLine({ action: 'restage', drop: dropId })} puts back what can be; else: ${restore}`,
    );
  }
  if (damaged > MOST_NAMED) {
    yield ledgerFinding.broken(ledger.path, `${damaged - MOST_NAMED} more like these`, restore);
  }
  if (damaged === 0) yield ledgerFinding.ok(ledger.path, 'its records and kept cells are what was written');
}

const MOST_NAMED = 10;

/** A ledger knows nothing from before Registrar was made. */
const MADE_MS = msFromIso('2025-01-01T00:00:00.000Z');
/** Clocks that are set by the network differ by much less. */
const APART_MS = 300_000;

/** Whether the clock can be right. @param ledger null: there is none yet. */
export function* checkClock(clock: Clock, ledger: Ledger | null): Generator<Finding> {
  const nowMs = clock.nowMs();
  const now = isoFromMs(nowMs);
  const set = 'Set the clock, by NTP if possible.';
  const newest = ledger === null ? null : ledgerTotals(ledger).newestRunAt;
  if (nowMs < MADE_MS) {
    yield clockFinding.broken('this machine', `it says ${now}, which is in the past`, set);
  } else if (newest !== null && msFromIso(newest) > nowMs + APART_MS) {
    yield clockFinding.attention(
      'this machine',
      `it says ${now}, and a run began at ${newest}: it was set back`,
      `${set} The quota doesn't go by it; what waits for a time of day waits longer.`,
    );
  } else {
    yield clockFinding.ok('this machine', `it says ${now}`);
  }
  if (isUnknownBoot(clock.bootId)) {
    yield clockFinding.attention(
      'this machine',
      "the system doesn't name its boot, so that each process waits for a full period of the quota at its start",
      'Let the process read /proc/sys/kernel/random/boot_id.',
    );
  }
}

/** What is under way, and what was left by processes that died, was killed or never ended. */
export async function* checkWork(ledger: Ledger, paths: WorkspacePaths): AsyncGenerator<Finding> {
  const held = heldLeases(ledger);
  for (const { name, pid, isAlive } of held) {
    if (isAlive) yield leaseFinding.ok(name, `process ${pid} holds it and is at work`);
    else {
      const message = `process ${pid} held it and is gone`;
      yield leaseFinding.attention(name, message, 'Nothing is lost: the next registrar run takes over.');
    }
  }
  if (held.length === 0) yield leaseFinding.ok('all', 'nobody is staging or delivering');
  if (held.some(({ name, isAlive }) => name === 'stage' && isAlive)) return;

  const next = 'The next registrar run goes on with it.';
  if (stagingDrop(ledger) !== null) yield workFinding.attention('staging', 'a file is half staged', next);
  const processing = existsSync(paths.processing) ? await listProcessing(paths) : [];
  for (const { source, path, files } of processing) {
    yield workFinding.attention(source, `${countOf(files, 'file lies', 'files lie')} in ${path}`, next);
  }
  for (const { source, message, remedy } of unknownArchived(ledger, paths)) {
    yield workFinding.attention(source, message, remedy);
  }
  for (const { kind, madeAt } of openDecisions(ledger)) {
    // A restore has a sentence of its own.
    if (kind === 'restore') continue;
    const message = `a ${kind} that was begun at ${madeAt} has not ended`;
    yield workFinding.attention(kind, message, CARRIED_OUT_NEXT);
  }
  const restored = restoredAt(ledger);
  if (restored !== null) {
    yield workFinding.attention(
      'restore',
      `a restore of ${restored} is not settled: new rows completed before it are held`,
      `When what was lost has been gone through: ${commandLine({ action: 'restore', settle: true })}.`,
    );
  }
}
