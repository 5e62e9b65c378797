import type { Issue, IssueCode } from '../../domain/issue.js';
import { type Cell, cellText } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';

/** What is wrong with a row of a returned file, or with the file. */
export function issue(
  code: IssueCode,
  [column, value = null]: readonly [column?: string | null, value?: string | null],
  message: string,
  remedy: string,
): Issue {
  return { code, column: column ?? null, value: value === '' ? null : value, message, remedy };
}

const NEW_ROW = 'deliver a row that is new in a file of its own';

/** `_row` names no line. */
export function noLine(text: string): Issue {
  const message =
    text === ''
      ? '_row is empty, so that nothing says which row this one stands for'
      : `_row "${text}" is no line number`;
  return issue('original-unknown', ['_row', text], message, `${PUT_BACK} in _row and _drop; ${NEW_ROW}`);
}

const PUT_BACK = 'put back what the attention file has';

/** `_drop` names no drop. */
export function noMark(mark: string): Issue {
  const message = mark === '' ? '_drop is empty' : `_drop "${mark}" is no drop's mark`;
  return issue('original-unknown', ['_drop', mark], message, `${PUT_BACK} in _drop`);
}

/** `_drop` names a drop that this ledger doesn't have. */
export function unknownMark(mark: string): Issue {
  return issue(
    'original-unknown',
    ['_drop', mark],
    `_drop ${mark} is no drop of this ledger`,
    'put back what the sheet had in _drop; rows of another workspace’s report go into an inbox of that one',
  );
}

/** A drop's rows can't stand on the same sheet as those of `first`. */
export function otherSheet(drop: PublishedDrop, first: PublishedDrop, mark: string): Issue {
  const message =
    drop.source === first.source
      ? `_drop ${mark} is ${drop.file}, which has other columns than ${first.file}, whose rows stand on the same sheet`
      : `_drop ${mark} is of source ${drop.source}, and the rows above are of ${first.source}`;
  const remedy = 'leave the rows on the sheet on which they were written';
  return issue('original-unknown', ['_drop', mark], message, remedy);
}

/** Several rows stand for one. */
export function repeated(line: number, { file }: PublishedDrop): Issue {
  const message = `several rows of the file stand for line ${line} of ${file}`;
  return issue(
    'original-repeated',
    ['_row', String(line)],
    message,
    `keep the right one of them; ${NEW_ROW}`,
  );
}

/** No row of the sheet names a drop of this ledger. */
export function unknownDrop({ marks: [mark], headerLine }: CorrectionSheet): Issue {
  return mark === undefined
    ? issue(
        'attention-drop-unknown',
        ['_drop'],
        `line ${headerLine} is the header of an attention file, and no row below says in _drop of which drop`,
        'put back the column _drop as the attention file had it',
      )
    : issue(
        'attention-drop-unknown',
        ['_drop', mark],
        `the file is an attention file of drop ${mark}, which is not in this ledger`,
        'put it into the inbox of the workspace whose report it comes from',
      );
}

/** registrar.yaml has lost the source of the rows. */
export function sourceGone({ source, file }: PublishedDrop): Issue {
  return issue(
    'attention-drop-unknown',
    ['_drop'],
    `the rows correct ${file}, which came in for source ${source}, and registrar.yaml has no such source any more`,
    'put the source back into registrar.yaml, then put the file into the inbox again',
  );
}

/** The header, and what stands above it. */
export function aboveRows(line: number, headerLine: number): Issue {
  const message = `line ${line} ${line === headerLine ? 'is the header' : 'stands above the header'}, not data`;
  return issue('row-preamble', [], message, 'nothing to do');
}

/** The drop has no row in this line. */
export function noSuchRow(line: number, { file, dropId }: PublishedDrop): Issue {
  return issue(
    'original-unknown',
    ['_row', String(line)],
    `${file} (drop ${dropId}) has no row in line ${line}`,
    `${PUT_BACK} in _row; ${NEW_ROW}`,
  );
}

/** The row was forgotten or purged: its correction must not bring anything back. */
export function erased(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'original-erased',
    [],
    `the cells of line ${line} of ${file} were erased, so that there is nothing to compare with`,
    'deliver the row in a file of its own if it is still to be delivered',
  );
}

/** An unchanged row that is still no record. */
export function notCorrected(
  line: number,
  { file }: PublishedDrop,
  issues: readonly Pick<Issue, 'code' | 'column' | 'remedy'>[],
): Issue {
  const [first] = issues;
  return issue(
    'not-corrected',
    [first?.column ?? null],
    `the row is as it was in line ${line} of ${file}, and still no record (${issues.map(({ code }) => code).join(', ')})`,
    first?.remedy ?? 'correct it and drop it again',
  );
}

/** All cells of the row but those of our columns are empty. */
export function emptied(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'not-corrected',
    [],
    `the row was emptied; line ${line} of ${file} stays as it is`,
    'fill it again or delete it from the file; what is not to be delivered is dismissed: registrar dismiss',
  );
}

/** The row was dealt with meanwhile. */
export function closed(line: number, { file }: PublishedDrop): Issue {
  return issue(
    'original-closed',
    [],
    `line ${line} of ${file} has been delivered, is being delivered, or was replaced or dismissed since its attention file was written; the change is not taken`,
    `look it up: registrar trace ${file}:${line}. What is to be delivered nevertheless goes into a file of its own`,
  );
}

/** What a spreadsheet has made of a cell, beside the original. */
export function damaged(
  code: 'identifier-damaged' | 'timestamp-damaged',
  column: string,
  was: Cell | undefined,
  given: Cell | undefined,
): Issue {
  const what =
    code === 'timestamp-damaged' ? 'without its seconds' : 'as a spreadsheet makes it of the original';
  return issue(
    code,
    [column, cellText(given)],
    `${column} is "${cellText(given)}", ${what}; the original is "${cellText(was)}"`,
    'correct the .attention.xlsx, whose cells are text, or put the original value back in a text editor',
  );
}
