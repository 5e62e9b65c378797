import type { SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import { type Issue, issueOf } from '../../domain/issue.js';
import type { NormalisedRecord } from '../../domain/record.js';
import { countRows, isBlankRow, possibleTexts, type Row } from '../../domain/row.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import type { KnownLearners } from '../../ledger/decisions/known-learners.js';
import type { PreparedRow, StagedRow } from '../../ledger/submissions/staging/read-rows.js';
import { createRowNormaliser } from '../../normalise/normalise-row.js';
import { identifierTypeField } from '../../normalise/values/email.js';
import { keyMaker, type PreparedRecord, type RecordKeys } from '../../operations/keys.js';
import { recordIdentifier } from '../../operations/prepared-record.js';
import { operationNamed } from '../../operations/registry.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import { UndecidedRow } from '../../reading/table.js';
import { type JudgedRows, judgedRows } from './mostly-invalid.js';

/** What the ledger knows that preparing rows needs. */
export type LedgerFacts = Pick<KnownLearners, 'salt' | 'corrections' | 'suppressed'>;

/** The facts where there is no ledger yet: with any salt, repeats within a file are found. */
export const NO_LEDGER: LedgerFacts = { salt: '0'.repeat(64), corrections: [], suppressed: new Set() };

export interface Preparation extends LedgerFacts {
  readonly source: SourceConfig;
  readonly clock: Clock;
}

type RowReading = Pick<DropPlan, 'sheet' | 'header' | 'profile'>;

export interface PreparedStep {
  readonly rowsRead: number;
  /** Data rows among them that are hidden in the sheet. */
  readonly hiddenRows?: number;
  /** The issues of these rows; absent where they aren't counted. */
  readonly judged?: JudgedRows;
  /** The rows after the line from which staging resumes, in line order, with their cells as they were read. */
  readonly rows: readonly StagedRow[];
}

/**
 * Reads, normalises and keys a drop's rows, in file order. Throws UndecidedRow as `rowPreparer` does.
 * @param afterLine rows up to this line are already staged: they are read and counted, but not returned again.
 */
export async function* prepareRows(
  opened: ReadableDrop,
  preparation: Preparation,
  plan: RowReading,
  afterLine: number,
): AsyncGenerator<PreparedStep> {
  const prepare = rowPreparer(preparation, plan);
  for await (const read of opened.rows(plan.sheet ?? undefined)) {
    // All rows are prepared, because how a row is read depends on the rows above it.
    const rows: PreparedRow[] = [];
    let hiddenRows = 0;
    for (const row of read) {
      const prepared = prepare(row);
      if (row.isHidden && prepared.kind !== 'non-data' && prepared.kind !== 'blank') hiddenRows += 1;
      rows.push(prepared);
    }
    const done = read.findLastIndex(({ line }) => line <= afterLine) + 1;
    yield {
      rowsRead: countRows(read),
      hiddenRows,
      judged: judgedRows(rows),
      rows: withCells(read.slice(done), rows.slice(done)),
    };
  }
}

/** Adds to prepared rows the cells that they were read from. Blank rows and rows of forgotten learners keep no cells. */
function withCells(
  read: readonly Pick<Row, 'cells' | 'strayQuotes'>[],
  rows: readonly PreparedRow[],
): StagedRow[] {
  return rows.map((row, index) => {
    const { cells, strayQuotes } = read[index] as Row;
    const isForgotten = row.kind === 'skipped' && row.issues[0] === FORGOTTEN;
    if (isBlankRow(cells) || isForgotten) return { row, cells: null, strayQuotes: null };
    return {
      row,
      cells: JSON.stringify(cells),
      strayQuotes: strayQuotes === undefined ? null : JSON.stringify(strayQuotes),
    };
  });
}

/**
 * Returns a function that prepares one row at a time; call it with all rows of a drop, in file order. It throws
 * UndecidedRow, but never with a profile of the whole drop.
 */
export function rowPreparer(preparation: Preparation, plan: RowReading): (row: Row) => PreparedRow {
  const { source, salt, clock, suppressed, corrections } = preparation;
  const operation = operationNamed(source.operation);
  const normalise = createRowNormaliser(operation, source, plan.header, plan.profile, clock);
  const identify = recordIdentifier(
    { operation, environment: source.environment },
    keyMaker(salt),
    corrections,
  );
  const isAboutForgotten = forgottenFinder(preparation, plan);
  return (row) => {
    const normalised = normalise(row);
    if (normalised.disposition === 'undecided') throw new UndecidedRow();
    if (normalised.disposition === 'blank') {
      return { kind: 'blank', line: row.line, ...(row.lines === undefined ? {} : { lines: row.lines }) };
    }
    const { line } = row;
    if (normalised.disposition !== 'record') {
      const issues = isAboutForgotten(row) ? [FORGOTTEN] : normalised.issues;
      return issues[0] === FORGOTTEN
        ? { kind: 'skipped', line, issues }
        : { kind: normalised.disposition, line, issues };
    }
    const lack = operation.lacks?.(normalised.record) ?? null;
    if (lack !== null) return { kind: 'invalid', line, issues: [lacking(lack)] };
    const [first, ...others] = operation.parts?.(normalised.record) ?? [normalised.record];
    const prepared = first && ready(first);
    if (!prepared) return { kind: 'skipped', line, issues: [FORGOTTEN] };
    const read = { kind: 'record', line, ...prepared } as const;
    const { omitted } = normalised;
    if (others.length === 0 && omitted === undefined) return read;
    const withOmitted = omitted === undefined ? read : { ...read, omitted };
    if (others.length === 0) return withOmitted;
    return { ...withOmitted, further: others.flatMap((other) => ready(other) ?? []) };
  };

  /** null: the record is about a forgotten learner. */
  function ready(record: NormalisedRecord): PreparedRecord | null {
    const prepared = identify(record);
    return isSuppressed(prepared.keys) || prepared.formers?.some(isSuppressed) ? null : prepared;
  }

  function isSuppressed({ learner }: RecordKeys): boolean {
    return learner !== null && suppressed.has(learner);
  }
}

/** Returns a function that prepares single rows in any order: no row affects another. It throws UndecidedRow as `rowPreparer` does. */
export function independentPreparer(preparation: Preparation, plan: RowReading): (row: Row) => PreparedRow {
  let prepare = rowPreparer(preparation, plan);
  return (row) => {
    const prepared = prepare(row);
    // A row that looks like a title or the header of another table would decide how all rows after it are read.
    if ('issues' in prepared && prepared.issues.some(({ code }) => code.startsWith('row-'))) {
      prepare = rowPreparer(preparation, plan);
    }
    return prepared;
  };
}

/**
 * Returns a function that says whether a row that isn't a record has a forgotten learner in its learner's cell, alone
 * or among others. The cells of such a row are not kept for correction.
 */
function forgottenFinder({ source, salt, suppressed }: Preparation, plan: RowReading): (row: Row) => boolean {
  const operation = operationNamed(source.operation);
  const keys = keyMaker(salt);
  const field = operation.fields.find(({ kind }) => kind === 'learner');
  const column = field && plan.header.match.mapped[field.name];
  if (!column || suppressed.size === 0) return () => false;
  const types = identifierTypeField(operation, field)?.choices ?? [];
  const isForgotten = (id: string) => types.some((type) => suppressed.has(keys.learner(type, id)));
  return ({ cells }) => {
    const texts = possibleTexts(cells[column.index]).map((text) => text.normalize('NFKC').trim());
    return texts
      .flatMap((text) => [text, ...text.split(BETWEEN_LEARNERS)])
      .some((id) => isForgotten(id) || isForgotten(id.toLowerCase()));
  };
}

/** The characters around and between several identifiers in one cell. */
const BETWEEN_LEARNERS = /[\s,;|<>()"']+/;

function lacking(message: string): Issue {
  return issueOf('value-missing', null, message, 'fill one of them in the file');
}

/** The issue of a row about a forgotten learner. */
export const FORGOTTEN: Issue = issueOf(
  'learner-forgotten',
  null,
  'The row is about a learner who was forgotten on request; its content is not kept.',
  'Nothing to do. To avoid this row, remove the learner from the export.',
);
