import { LEARNER, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/correction-workbook.js';
import type { Issue } from '../../domain/issue.js';
import {
  type Correction,
  type IdentifiedLearner,
  mappingProblem,
} from '../../domain/learners/corrected-learners.js';
import { cellText, isBlankCell, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { readLearnerId } from '../../normalise/values/email.js';
import { type KeyMaker, keyMaker } from '../../operations/keys.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';
import { FORGOTTEN } from '../prepare/prepare-rows.js';
import type { RowCorrection } from './corrected-rows.js';
import { correctionIssue } from './correction-issues.js';

/** A sheet with the correct addresses of learners. Personal. */
export type LearnerCorrections = Awaited<ReturnType<typeof readRightAddresses>>;

/**
 * Reads a sheet with correct addresses: each row becomes a correction to record, an issue, or nothing. A row is judged
 * against the recorded corrections and those of the rows above it. Writes nothing.
 */
export async function readRightAddresses(opened: OpenedDrop, sheet: CorrectionSheet, ledger: Ledger) {
  const entries: Entry[] = [];
  for await (const batch of opened.rows(sheet.sheet ?? undefined)) {
    entries.push(...singleRows(batch).map((row) => entryOf(row, sheet.columns)));
  }
  const repeated = namedTwice(entries, sheet.headerLine);
  const marks = entries.flatMap(({ address, hash }) =>
    !isBlankCell(address) && /^[0-9a-f]{16}$/.test(hash) ? [hash] : [],
  );
  const { corrections, suppressed, named } = await knownLearners(ledger, marks);
  const keys = keyMaker(ledger.salt);
  const links = [...corrections];
  const judged = entries.map((entry): RowCorrection => {
    const own = judge(entry);
    const isUnchanged = own.kind === 'skipped' && own.issues[0] !== FORGOTTEN;
    return { line: entry.row.line, of: null, row: own, cells: [], applies: null, isUnchanged };
  });
  const mappings: readonly Correction[] = links.slice(corrections.length);
  return { kind: 'addresses' as const, sheet: sheet.sheet, rows: judged, mappings };

  function judge(entry: Entry): PreparedRow {
    const { line, cells } = entry.row;
    if (isBlankRow(cells)) return { kind: 'blank', line };
    if (line <= sheet.headerLine) {
      return { kind: 'non-data', line, issues: [correctionIssue('above-rows', { line })] };
    }
    const correction = correctionIn(entry, named, keys);
    if (correction === null) return { kind: 'skipped', line, issues: [correctionIssue('learner-left')] };
    if ('code' in correction) return { kind: 'invalid', line, issues: [correction] };
    const { old, now } = correction;
    if (repeated.has(old.hash))
      return { kind: 'invalid', line, issues: [correctionIssue('several-addresses')] };
    const problem = mappingProblem(correction, links, suppressed);
    if (problem === 'forgotten') return { kind: 'skipped', line, issues: [FORGOTTEN] };
    if (problem !== null) return { kind: 'invalid', line, issues: [correctionIssue(PROBLEMS[problem])] };
    if (!links.some((one) => one.old.hash === old.hash && one.now.hash === now.hash)) links.push(correction);
    return { kind: 'skipped', line, issues: [correctionIssue('learner-mapped')] };
  }
}

type Entry = ReturnType<typeof entryOf>;

/** `hash`: of the learner whom the row is about; `shown`: the learner's identifier in the sheet, '' where the cell is empty. */
function entryOf(row: Row, columns: readonly string[]) {
  const cellOf = (wanted: string) => row.cells[columns.findIndex((name) => name.trim() === wanted)];
  const textOf = (wanted: string) => cellText(cellOf(wanted)).trim();
  return { row, address: cellOf(RIGHT_ADDRESS), hash: textOf(LEARNER_MARK), shown: textOf(LEARNER) };
}

/**
 * The correction in a row, or why its address can't be used; null: there is no address.
 * @param named the learners of this ledger that the rows may be about, by their hashes.
 */
function correctionIn(
  { address, hash, shown }: Entry,
  named: ReadonlyMap<string, IdentifiedLearner>,
  keys: KeyMaker,
): Correction | Issue | null {
  if (isBlankCell(address)) return null;
  const old = named.get(hash);
  if (old === undefined) return correctionIssue('unknown-learner', { text: hash });
  if (shown !== '' && !isSame(shown, old.id)) return correctionIssue('other-learner');
  const reading = readLearnerId(old.type, address, { column: RIGHT_ADDRESS });
  if ('issue' in reading) {
    return { ...reading.issue, remedy: `correct ${RIGHT_ADDRESS} on the learners' sheet and ${GIVE_AGAIN}` };
  }
  if (reading.value === null) return null;
  return { old, now: { type: old.type, id: reading.value, hash: keys.learner(old.type, reading.value) } };
}

/** Hashes of learners who have different addresses in several rows. */
function namedTwice(entries: readonly Entry[], headerLine: number): ReadonlySet<string> {
  const newIds = new Map<string, string>();
  const twice = new Set<string>();
  for (const { row, address, hash } of entries) {
    const text = cellText(address).trim().toLowerCase();
    if (row.line <= headerLine || text === '') continue;
    if ((newIds.get(hash) ?? text) !== text) twice.add(hash);
    newIds.set(hash, text);
  }
  return twice;
}

function isSame(shown: string, id: string): boolean {
  const folded = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
  return folded(shown) === folded(id);
}

const GIVE_AGAIN = 'put the workbook into an inbox again';

const PROBLEMS = { same: 'same-address', circle: 'circle' } as const;
