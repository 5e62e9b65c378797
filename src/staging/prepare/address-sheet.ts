import type { Decider } from '../../domain/decider.js';
import { isAddressHeader, LEARNER, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/guided-workbook.js';
import type { Issue } from '../../domain/issue.js';
import {
  type Correction,
  type Identified,
  type MappingProblem,
  mappingProblem,
} from '../../domain/learners/corrected-learners.js';
import { collected } from '../../domain/process/in-turn.js';
import { cellText, isBlankCell, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import { unsentRows } from '../../ledger/books/rows/listed-rows.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import { keptRows } from '../../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import { keyMaker } from '../../ledger/submissions/record/keys.js';
import type { PreparedRow } from '../../ledger/submissions/staging/staged-rows.js';
import { readLearnerId } from '../../normalise/values/email.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';
import { type Refused, refused } from '../../reading/refused.js';
import { FORGOTTEN, type PreparedStep, withCells } from './prepare-rows.js';
import { aboveRows } from './redrop-issues.js';

/**
 * Records that one identifier of a learner counts in place of another, and moves the learner's rows; the caller holds the
 * stage lease.
 */
export type MapLearner = (correction: Correction, who: Decider, because: string) => Promise<unknown>;

/** How a sheet with the right addresses of learners is going to be read: judged row by row. */
export interface AddressPlan {
  readonly kind: 'addresses';
  readonly sheet: CorrectionSheet;
  /** By line, of the rows that aren't blank. */
  readonly judged: ReadonlyMap<number, PreparedRow>;
}

/**
 * Decides what becomes of each row of a sheet with right addresses: a correction to be recorded, nothing, or an issue. Each
 * row is judged beside the recorded corrections and those of the rows above it. Reads all rows once.
 * @param ledger null where there is none yet, which is an issue.
 */
export async function planAddresses(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  ledger: Ledger | null,
): Promise<AddressPlan | Refused> {
  if (ledger === null) return refused(noLedger(sheet));
  const rows: Row[] = [];
  for await (const batch of opened.rows(sheet.sheet ?? undefined)) {
    rows.push(...batch.filter(({ cells }) => !isBlankRow(cells)));
  }
  const repeated = namedTwice(rows, sheet);
  const { corrections, suppressed, named } = await knownLearners(ledger, marksIn(rows, sheet.columns));
  const read = addressReader(ledger.salt, sheet.columns, named);
  const known = [...corrections];
  const judged = new Map(rows.map((row) => [row.line, judge(row)]));
  return { kind: 'addresses', sheet, judged };

  function judge(row: Row): PreparedRow {
    const { line } = row;
    if (line <= sheet.headerLine) {
      return { kind: 'non-data', line, issues: [aboveRows(line, sheet.headerLine)] };
    }
    const given = read(row);
    if (given.kind === 'none') return { kind: 'skipped', line, issues: [LEFT] };
    if (given.kind === 'wrong') return { kind: 'invalid', line, issues: [given.issue] };
    const { correction } = given;
    if (repeated.has(correction.old.hash)) return { kind: 'invalid', line, issues: [REPEATED] };
    const problem = mappingProblem(correction, known, suppressed);
    if (problem === 'forgotten') return { kind: 'skipped', line, issues: [FORGOTTEN] };
    if (problem !== null) return { kind: 'invalid', line, issues: [PROBLEMS[problem]] };
    known.push(correction);
    return { kind: 'skipped', line, issues: [MAPPED] };
  }
}

/**
 * The rows as they are staged, with the cells of mark and address alone: the other cells repeat what the ledger has
 * elsewhere.
 */
export async function* prepareAddresses(
  opened: OpenedDrop,
  { sheet, judged }: AddressPlan,
  afterLine: number,
): AsyncGenerator<PreparedStep> {
  const { address, mark } = placesIn(sheet.columns);
  for await (const batch of opened.rows(sheet.sheet ?? undefined)) {
    const read = singleRows(batch);
    const left = read.filter(({ line }) => line > afterLine);
    const rows = left.map(({ line }): PreparedRow => judged.get(line) ?? { kind: 'blank', line });
    const kept = left.map(({ cells }) => ({
      cells: cells.map((cell, index) => (index === address || index === mark ? cell : null)),
    }));
    yield { rowsRead: read.length, rows: withCells(kept, rows) };
  }
}

/**
 * Records the right addresses of a published sheet, each as a decision of its own. May be repeated, which picks up what an
 * interrupted call has left. Does nothing for any other drop.
 */
export async function applyAddresses(
  ledger: Ledger,
  dropId: number,
  map: MapLearner,
  decision: { readonly who: Decider; readonly because: string },
): Promise<void> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined || !isAddressHeader(drop.header)) return;
  const lines = await mappedLines(ledger, dropId);
  const rows = (await collected(keptRows(ledger, dropId))).filter(({ line }) => lines.has(line));
  const { named } = await knownLearners(ledger, marksIn(rows, drop.header));
  const read = addressReader(ledger.salt, drop.header, named);
  for (const row of rows) {
    const given = read(row);
    if (given.kind !== 'correction' || (await isDone(ledger, given.correction))) continue;
    await map(given.correction, decision.who, decision.because);
  }
}

/** Lines whose address was taken as a correction. */
async function mappedLines(ledger: Ledger, dropId: number): Promise<ReadonlySet<number>> {
  const lines = new Set<number>();
  for await (const { line, codes } of unsentRows(ledger, dropId, 'skipped', {})) {
    if (codes === MAPPED.code) lines.add(line);
  }
  return lines;
}

/** True where the correction is recorded and carried out. */
async function isDone(ledger: Ledger, { old, now }: Correction): Promise<boolean> {
  const isRecorded = (await knownLearners(ledger)).corrections.some(
    (one) => one.old.hash === old.hash && one.now.hash === now.hash,
  );
  const isOpen = (await readState(ledger, ['work'])).work.decisions.some(
    ({ kind, selection }) => kind === 'map' && selection.old === old.hash && selection.new === now.hash,
  );
  return isRecorded && !isOpen;
}

/** Hashes of the learners whom the rows with an address are about, as far as the rows say so. */
function marksIn(rows: readonly Row[], columns: readonly string[]): string[] {
  const { address, mark } = placesIn(columns);
  return rows.flatMap(({ cells }) => {
    const hash = cellText(cells[mark]).trim();
    return !isBlankCell(cells[address]) && /^[0-9a-f]{16}$/.test(hash) ? [hash] : [];
  });
}

/** What a row asks for. `none`: it gives no address. `wrong`: its address can't become a correction. */
type GivenAddress =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly issue: Issue }
  | { readonly kind: 'correction'; readonly correction: Correction };

const NONE: GivenAddress = { kind: 'none' };

/**
 * Returns a function that reads off a row the correction it asks for.
 * @param named the learners of this ledger whom the rows may be about, by their hashes.
 */
function addressReader(
  salt: string,
  columns: readonly string[],
  named: ReadonlyMap<string, Identified>,
): (row: Row) => GivenAddress {
  const { address, mark, learner } = placesIn(columns);
  const keys = keyMaker(salt);
  return ({ cells }) => {
    if (isBlankCell(cells[address])) return NONE;
    const hash = cellText(cells[mark]).trim();
    const old = named.get(hash);
    if (old === undefined) return { kind: 'wrong', issue: unknownLearner(hash) };
    const shown = learner === -1 ? '' : cellText(cells[learner]).trim();
    if (shown !== '' && !isSame(shown, old.id)) return { kind: 'wrong', issue: OTHER_LEARNER };
    const reading = readLearnerId(old.type, cells[address], {
      column: RIGHT_ADDRESS,
    });
    if ('issue' in reading) return { kind: 'wrong', issue: { ...reading.issue, remedy: GIVE_IT_AGAIN } };
    if (reading.value === null) return NONE;
    const now = { type: old.type, id: reading.value, hash: keys.learner(old.type, reading.value) };
    return { kind: 'correction', correction: { old, now } };
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

const GIVE_IT_AGAIN = `correct ${RIGHT_ADDRESS} on the learners' sheet and put the workbook into an inbox again`;

const MAPPED: Issue = {
  code: 'learner-mapped',
  column: RIGHT_ADDRESS,
  value: null,
  message: 'the right address of the learner is recorded, and the learner’s rows are delivered under it',
  remedy: 'nothing is to be done; if it was the wrong one, registrar map gives the learner another',
};

const LEFT: Issue = {
  code: 'learner-left',
  column: RIGHT_ADDRESS,
  value: null,
  message: 'no right address is given, so that nothing is decided about the learner',
  remedy: 'give one when it is known',
};

const REPEATED: Issue = {
  code: 'original-repeated',
  column: RIGHT_ADDRESS,
  value: null,
  message: 'several rows give another address for the same learner',
  remedy: 'keep the right one, and put the workbook into an inbox again',
};

const PROBLEMS: Readonly<Record<Exclude<MappingProblem, 'forgotten'>, Issue>> = {
  same: {
    code: 'identifier-invalid',
    column: RIGHT_ADDRESS,
    value: null,
    message: `${RIGHT_ADDRESS} is the address that the platform doesn't know`,
    remedy: 'leave it empty where the address is right, and have the learner added to the platform',
  },
  circle: {
    code: 'identifier-invalid',
    column: RIGHT_ADDRESS,
    value: null,
    message: `${RIGHT_ADDRESS} has been corrected to this learner before, so that each would count in the place of the other`,
    remedy: 'if that was wrong, the Registrar operator maps it to the right one first: registrar map',
  },
};

function unknownLearner(mark: string): Issue {
  return {
    code: 'original-unknown',
    column: LEARNER_MARK,
    value: mark === '' ? null : mark,
    message:
      mark === '' ? `${LEARNER_MARK} is empty` : `${LEARNER_MARK} "${mark}" names no learner of this ledger`,
    remedy: `put back what the sheet had in ${LEARNER_MARK}, and put the workbook into an inbox again`,
  };
}

/** Where one column was sorted or moved alone, each address would count for somebody else. */
const OTHER_LEARNER: Issue = {
  code: 'original-unknown',
  column: LEARNER,
  value: null,
  message: `${LEARNER} names somebody else than ${LEARNER_MARK} does, so that nobody can say for whom the address is`,
  remedy: `put back what the sheet had in ${LEARNER} and ${LEARNER_MARK}, and put the workbook into an inbox again`,
};

function noLedger({ headerLine }: CorrectionSheet): Issue {
  return {
    code: 'attention-drop-unknown',
    column: LEARNER_MARK,
    value: null,
    message: `line ${headerLine} is the header of a learners' sheet, and this workspace has taken in nothing yet`,
    remedy: 'put it into an inbox of the workspace whose report it comes from',
  };
}
