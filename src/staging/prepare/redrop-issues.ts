import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, type Row } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { markOf, originalLine, type RedropPlan } from '../../reading/plan-redrop.js';

/** Why a row can't be matched to an original; null where it can. */
export function misplacedIssue(row: Row, plan: RedropPlan): Issue | null {
  const { layout, originals, unusable } = plan;
  const line = originalLine(row, layout);
  const mark = markOf(row, layout);
  const original = originals.get(mark);
  if (line === null) {
    const text = cellText(row.cells[layout.row]).trim();
    return {
      code: 'original-unknown',
      column: '_row',
      value: text === '' ? null : text,
      message:
        text === ''
          ? '_row is empty, so that nothing says which row this one stands for'
          : `_row "${text}" is no line number`,
      remedy:
        'put back what the attention file has in _row and _drop; deliver a row that is new in a file of its own',
    };
  }
  if (original === undefined) {
    return (
      unusable.get(mark) ?? {
        code: 'original-unknown',
        column: '_drop',
        value: mark === '' ? null : mark,
        message: mark === '' ? '_drop is empty' : `_drop "${mark}" is no drop's mark`,
        remedy: 'put back what the attention file has in _drop',
      }
    );
  }
  if (!original.repeated.has(line)) return null;
  return {
    code: 'original-repeated',
    column: '_row',
    value: String(line),
    message: `several rows of the file stand for line ${line} of ${original.drop.file}`,
    remedy: 'keep the right one of them; deliver a row that is new in a file of its own',
  };
}

/** The header, and what stands above it. */
export function aboveRows(line: number, headerLine: number): Issue {
  return {
    code: 'row-preamble',
    column: null,
    value: null,
    message: `line ${line} ${line === headerLine ? 'is the header' : 'stands above the header'}, not data`,
    remedy: 'nothing to do',
  };
}

/** The original has no row in this line. */
export function noSuchRow(line: number, original: PublishedDrop): Issue {
  return {
    code: 'original-unknown',
    column: '_row',
    value: String(line),
    message: `${original.file} (drop ${original.dropId}) has no row in line ${line}`,
    remedy: 'put back what the attention file has in _row; deliver a row that is new in a file of its own',
  };
}

/** The original was forgotten or purged: its correction must not bring anything back. */
export function erased(line: number, original: PublishedDrop): Issue {
  return {
    code: 'original-erased',
    column: null,
    value: null,
    message: `the cells of line ${line} of ${original.file} were erased, so that there is nothing to compare with`,
    remedy: 'deliver the row in a file of its own if it is still to be delivered',
  };
}

/** An unchanged row that is still no record. */
export function notCorrected(
  line: number,
  original: PublishedDrop,
  issues: readonly Pick<Issue, 'code' | 'column' | 'remedy'>[],
): Issue {
  const first = issues[0];
  return {
    code: 'not-corrected',
    column: first?.column ?? null,
    value: null,
    message: `the row is as it was in line ${line} of ${original.file}, and still no record (${issues.map(({ code }) => code).join(', ')})`,
    remedy: first?.remedy ?? 'correct it and drop it again',
  };
}

/** All cells of the row but those of our columns are empty. */
export function emptied(line: number, original: PublishedDrop): Issue {
  return {
    code: 'not-corrected',
    column: null,
    value: null,
    message: `the row was emptied; line ${line} of ${original.file} stays as it is`,
    remedy:
      'fill it again or delete it from the file; what is not to be delivered is dismissed: registrar dismiss',
  };
}

/** The original was dealt with meanwhile. */
export function closed(line: number, original: PublishedDrop): Issue {
  return {
    code: 'original-closed',
    column: null,
    value: null,
    message: `line ${line} of ${original.file} has been delivered, is being delivered, or was replaced or dismissed since its attention file was written; the change is not taken`,
    remedy: `look it up: registrar trace ${original.file}:${line}. What is to be delivered nevertheless goes into a file of its own`,
  };
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
  return {
    code,
    column,
    value: cellText(given),
    message: `${column} is "${cellText(given)}", ${what}; the original is "${cellText(was)}"`,
    remedy:
      'correct the .attention.xlsx, whose cells are text, or put the original value back in a text editor',
  };
}
