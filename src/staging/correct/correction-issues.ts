import { dataFile } from '../../config/values/data-file.js';
import { LEARNER, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/correction-workbook.js';
import { type Issue, type IssueCode, issueOf } from '../../domain/issue.js';
import { filledText } from '../../domain/text/filled-text.js';

/** What may be wrong with a corrected file or one of its rows, as data/texts/corrections.yaml words it. */
export type CorrectionFault =
  | ('not-a-line' | 'unknown-mark' | 'other-sheet' | 'repeated' | 'unknown-drop' | 'source-gone')
  | ('above-rows' | 'no-such-row' | 'erased' | 'not-corrected' | 'emptied' | 'closed')
  | ('without-seconds' | 'changed-by-program' | 'learner-mapped' | 'learner-left' | 'several-addresses')
  | ('same-address' | 'circle' | 'unknown-learner' | 'other-learner');

interface FaultText {
  readonly code: IssueCode;
  readonly column?: string;
  readonly message: string;
  readonly remedy: string;
}

const texts = dataFile<Readonly<Record<CorrectionFault, FaultText>>>('texts/corrections');

const COLUMNS = { learner: LEARNER, mark: LEARNER_MARK, right: RIGHT_ADDRESS };

/**
 * An issue of a corrected file, or of one of its rows.
 * @param parts what its sentences name; `text` is the value at fault, `column` its default column.
 */
export function correctionIssue(
  fault: CorrectionFault,
  parts: Readonly<Record<string, string | number | null>> = {},
): Issue {
  const { code, column = parts.column ?? null, message, remedy } = texts()[fault];
  const all: Readonly<Record<string, string | number | null>> = { ...COLUMNS, ...parts };
  const filled = (text: string) => filledText(text, all);
  const value = parts.text === undefined || parts.text === '' ? null : String(parts.text);
  const place = column === null ? null : filled(String(column));
  return issueOf(code, place, filled(message), filled(remedy), value);
}
