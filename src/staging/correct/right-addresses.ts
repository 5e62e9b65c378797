import { LEARNER, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/guided-workbook.js';
import type { Issue } from '../../domain/issue.js';
import {
  type Correction,
  type Identified,
  type MappingProblem,
  mappingProblem,
} from '../../domain/learners/corrected-learners.js';
import { cellText, isBlankCell, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { readLearnerId } from '../../normalise/values/email.js';
import { keyMaker } from '../../operations/keys.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';
import { FORGOTTEN } from '../prepare/prepare-rows.js';
import { aboveRows, issue } from './correction-issues.js';
import type { ReturnedRow } from './returned-rows.js';

/** A sheet with the right addresses of learners. Personal. */
export interface ReturnedAddresses {
  readonly kind: 'addresses';
  readonly sheet: string | null;
  readonly rows: readonly ReturnedRow[];
  /** The corrections that are new. */
  readonly mappings: readonly Correction[];
}

/**
 * Reads a sheet with right addresses: each row gives a correction to be recorded, nothing, or an issue. It is judged beside the
 * recorded corrections and those of the rows above it. Writes nothing.
 */
export async function readRightAddresses(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  ledger: Ledger,
): Promise<ReturnedAddresses> {
  const rows: Row[] = [];
  for await (const batch of opened.rows(sheet.sheet ?? undefined)) rows.push(...singleRows(batch));
  const repeated = namedTwice(rows, sheet);
  const { corrections, suppressed, named } = await knownLearners(ledger, marksIn(rows, sheet.columns));
  const read = addressReader(ledger.salt, sheet.columns, named);
  const known = [...corrections];
  const judged = rows.map((row): ReturnedRow => {
    const own = judge(row);
    const asks = own.kind === 'invalid' || (own.kind === 'skipped' && own.issues[0] === FORGOTTEN);
    return { line: row.line, of: null, row: own, cells: [], applies: null, asks };
  });
  return { kind: 'addresses', sheet: sheet.sheet, rows: judged, mappings: known.slice(corrections.length) };

  function judge(row: Row): PreparedRow {
    const { line } = row;
    if (isBlankRow(row.cells)) return { kind: 'blank', line };
    if (line <= sheet.headerLine) {
      return { kind: 'non-data', line, issues: [aboveRows(line, sheet.headerLine)] };
    }
    const given = read(row);
    if (given === null) return { kind: 'skipped', line, issues: [LEFT] };
    if ('code' in given) return { kind: 'invalid', line, issues: [given] };
    const { old, now } = given;
    if (repeated.has(old.hash)) return { kind: 'invalid', line, issues: [REPEATED] };
    const problem = mappingProblem(given, known, suppressed);
    if (problem === 'forgotten') return { kind: 'skipped', line, issues: [FORGOTTEN] };
    if (problem !== null) return { kind: 'invalid', line, issues: [PROBLEMS[problem]] };
    if (!known.some((one) => one.old.hash === old.hash && one.now.hash === now.hash)) known.push(given);
    return { kind: 'skipped', line, issues: [MAPPED] };
  }
}

/** Hashes of the learners whom the rows with an address are about, as far as the rows say so. */
function marksIn(rows: readonly Row[], columns: readonly string[]): string[] {
  const { address, mark } = placesIn(columns);
  return rows.flatMap(({ cells }) => {
    const hash = cellText(cells[mark]).trim();
    return !isBlankCell(cells[address]) && /^[0-9a-f]{16}$/.test(hash) ? [hash] : [];
  });
}

/**
 * Returns a function that reads off a row the correction it asks for, or why its address can't become one; null: it gives none.
 * @param named the learners of this ledger whom the rows may be about, by their hashes.
 */
function addressReader(
  salt: string,
  columns: readonly string[],
  named: ReadonlyMap<string, Identified>,
): (row: Row) => Correction | Issue | null {
  const { address, mark, learner } = placesIn(columns);
  const keys = keyMaker(salt);
  return ({ cells }) => {
    if (isBlankCell(cells[address])) return null;
    const hash = cellText(cells[mark]).trim();
    const old = named.get(hash);
    if (old === undefined) return unknownLearner(hash);
    const shown = learner === -1 ? '' : cellText(cells[learner]).trim();
    if (shown !== '' && !isSame(shown, old.id)) return OTHER_LEARNER;
    const reading = readLearnerId(old.type, cells[address], { column: RIGHT_ADDRESS });
    if ('issue' in reading) {
      const remedy = `correct ${RIGHT_ADDRESS} on the learners' sheet and ${GIVE_AGAIN}`;
      return { ...reading.issue, remedy };
    }
    if (reading.value === null) return null;
    const now = { type: old.type, id: reading.value, hash: keys.learner(old.type, reading.value) };
    return { old, now };
  };
}

/** Hashes of learners for whom several rows give different addresses. */
function namedTwice(rows: readonly Row[], { columns, headerLine }: CorrectionSheet): ReadonlySet<string> {
  const { address, mark } = placesIn(columns);
  const given = new Map<string, string>();
  const twice = new Set<string>();
  for (const { line, cells } of rows) {
    const text = cellText(cells[address]).trim().toLowerCase();
    if (line <= headerLine || text === '') continue;
    const hash = cellText(cells[mark]).trim();
    if ((given.get(hash) ?? text) !== text) twice.add(hash);
    given.set(hash, text);
  }
  return twice;
}

function placesIn(columns: readonly string[]): {
  readonly address: number;
  readonly mark: number;
  /** -1 where the sheet has lost it. */
  readonly learner: number;
} {
  const placeOf = (wanted: string) => columns.findIndex((name) => name.trim() === wanted);
  return { address: placeOf(RIGHT_ADDRESS), mark: placeOf(LEARNER_MARK), learner: placeOf(LEARNER) };
}

function isSame(shown: string, id: string): boolean {
  const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(shown) === plain(id);
}

const GIVE_AGAIN = 'put the workbook into an inbox again';

const MAPPED = issue(
  'learner-mapped',
  [RIGHT_ADDRESS],
  'the right address of the learner is recorded, and the learner’s rows are delivered under it',
  'nothing is to be done; if it was the wrong one, registrar map gives the learner another',
);

const LEFT = issue(
  'learner-left',
  [RIGHT_ADDRESS],
  'no right address is given, so that nothing is decided about the learner',
  'give one when it is known',
);

const REPEATED = issue(
  'original-repeated',
  [RIGHT_ADDRESS],
  'several rows give another address for the same learner',
  `keep the right one, and ${GIVE_AGAIN}`,
);

const PROBLEMS: Readonly<Record<Exclude<MappingProblem, 'forgotten'>, Issue>> = {
  same: issue(
    'identifier-invalid',
    [RIGHT_ADDRESS],
    `${RIGHT_ADDRESS} is the address that the platform doesn't know`,
    'leave it empty where the address is right, and have the learner added to the platform',
  ),
  circle: issue(
    'identifier-invalid',
    [RIGHT_ADDRESS],
    `${RIGHT_ADDRESS} has been corrected to this learner before, so that each would count in the place of the other`,
    'if that was wrong, the Registrar operator maps it to the right one first: registrar map',
  ),
};

function unknownLearner(mark: string): Issue {
  const message =
    mark === '' ? `${LEARNER_MARK} is empty` : `${LEARNER_MARK} "${mark}" names no learner of this ledger`;
  const remedy = `put back what the sheet had in ${LEARNER_MARK}, and ${GIVE_AGAIN}`;
  return issue('original-unknown', [LEARNER_MARK, mark], message, remedy);
}

/** Where one column was sorted or moved alone, each address would count for somebody else. */
const OTHER_LEARNER = issue(
  'original-unknown',
  [LEARNER],
  `${LEARNER} names somebody else than ${LEARNER_MARK} does, so that nobody can say for whom the address is`,
  `put back what the sheet had in ${LEARNER} and ${LEARNER_MARK}, and ${GIVE_AGAIN}`,
);
