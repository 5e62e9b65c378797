import type { Issue, IssueCode } from '../../domain/issue.js';
import { type Cell, cellText } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';

/** Makes an issue of a corrected file, or of one of its rows. */
export function issue(
  code: IssueCode,
  [column, value = null]: readonly [column?: string | null, value?: string | null],
  message: string,
  remedy: string,
): Issue {
  return { code, column: column ?? null, value: value === '' ? null : value, message, remedy };
}

const NEW_ROW = 'put new rows into a separate file';

/** `_row` isn't a line number. */
export function noLine(text: string): Issue {
  const message =
    text === ''
      ? '_row is empty: it must contain the line of the row that this row corrects'
      : `_row "${text}" is not a line number`;
  return issue('original-unknown', ['_row', text], message, `${RESTORE} _row and _drop; ${NEW_ROW}`);
}

const RESTORE = 'restore the attention file’s values in';

/** `_drop` isn't the mark of a drop. */
export function noMark(mark: string): Issue {
  const message = mark === '' ? '_drop is empty' : `_drop "${mark}" is not the mark of a drop`;
  return issue('original-unknown', ['_drop', mark], message, `${RESTORE} _drop`);
}

/** `_drop` is the mark of a drop that this ledger doesn't have. */
export function unknownMark(mark: string): Issue {
  return issue(
    'original-unknown',
    ['_drop', mark],
    `_drop ${mark} is not a drop of this ledger`,
    `${RESTORE} _drop; put rows of another workspace’s report into an inbox of that workspace`,
  );
}

/** A drop's rows can't be on the same sheet as those of `first`. */
export function otherSheet(drop: PublishedDrop, first: PublishedDrop, mark: string): Issue {
  const message =
    drop.source === first.source
      ? `_drop ${mark} is ${drop.file}, whose columns differ from those of ${first.file} on the same sheet`
      : `_drop ${mark} belongs to source ${drop.source}, and the rows above belong to ${first.source}`;
  const remedy = 'leave each row on its original sheet';
  return issue('original-unknown', ['_drop', mark], message, remedy);
}

/** Several rows correct the same row. */
export function repeated(line: number, { file }: PublishedDrop): Issue {
  const message = `several rows of the file correct line ${line} of ${file}`;
  return issue('original-repeated', ['_row', String(line)], message, `keep one of them; ${NEW_ROW}`);
}

/** No row of the sheet has the mark of a drop of this ledger. */
export function unknownDrop({ marks: [mark], headerLine }: CorrectionSheet): Issue {
  return mark === undefined
    ? issue(
        'attention-drop-unknown',
        ['_drop'],
        `line ${headerLine} is the header of an attention file, but no row below has a drop in _drop`,
        `${RESTORE} _drop`,
      )
    : issue(
        'attention-drop-unknown',
        ['_drop', mark],
        `the file is an attention file of drop ${mark}, which is not in this ledger`,
        'put it into an inbox of the workspace whose report it comes from',
      );
}

/** The source of the rows is no longer in registrar.yaml. */
export function sourceGone({ source, file }: PublishedDrop): Issue {
  return issue(
    'attention-drop-unknown',
    ['_drop'],
    `the rows correct ${file} of source ${source}, which is no longer in registrar.yaml`,
    'restore the source in registrar.yaml, then put the file into the inbox again',
  );
}

/** The header, or a line above it. */
export function aboveRows(line: number, headerLine: number): Issue {
  const message = `line ${line} is ${line === headerLine ? 'the header' : 'above the header'}, not data`;
  return issue('row-preamble', [], message, 'nothing to do');
}

/** The drop has no row on this line. */
export function noSuchRow(line: number, { file, dropId }: PublishedDrop): Issue {
  return issue(
    'original-unknown',
    ['_row', String(line)],
    `${file} (drop ${dropId}) has no row on line ${line}`,
    `${RESTORE} _row; ${NEW_ROW}`,
  );
}

/** The row was forgotten or purged: a correction must not restore its content. */
export function erased(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'original-erased',
    [],
    `the cells of line ${line} of ${file} were erased, so the correction can't be compared with them`,
    'to deliver the row, put it into a separate file',
  );
}

/** An unchanged row that still isn't a record. */
export function notCorrected(
  line: number,
  { file }: PublishedDrop,
  issues: readonly Pick<Issue, 'code' | 'column' | 'remedy'>[],
): Issue {
  const [first] = issues;
  return issue(
    'not-corrected',
    [first?.column ?? null],
    `the row is the same as line ${line} of ${file}, and still has issues (${issues.map(({ code }) => code).join(', ')})`,
    first?.remedy ?? 'correct it and drop it again',
  );
}

/** All cells of the row are empty, except in Registrar's own columns. */
export function emptied(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'not-corrected',
    [],
    `the row was emptied; line ${line} of ${file} is unchanged`,
    'fill the row again, or delete it from the file; to close it without delivery: registrar dismiss',
  );
}

/** The row was closed meanwhile. */
export function closed(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'original-closed',
    [],
    `line ${line} of ${file} was delivered, replaced or dismissed, or is being delivered, since its attention file was written; the change was ignored`,
    `see what happened: registrar trace ${file}:${line}. To deliver the change, put the row into a separate file`,
  );
}

/** A spreadsheet program changed a cell. */
export function damaged(
  code: 'identifier-damaged' | 'timestamp-damaged',
  column: string,
  was: Cell | undefined,
  given: Cell | undefined,
): Issue {
  const what =
    code === 'timestamp-damaged' ? 'without its seconds' : 'probably changed by a spreadsheet program';
  return issue(
    code,
    [column, cellText(given)],
    `${column} is "${cellText(given)}", ${what}; the original is "${cellText(was)}"`,
    'correct the .attention.xlsx, whose cells are text, or restore the original value in a text editor',
  );
}
