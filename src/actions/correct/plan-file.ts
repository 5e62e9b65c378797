import { basename } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { issueText } from '../../domain/issue.js';
import { OperatorError } from '../../domain/operator-error.js';
import { openDrop } from '../../intake/open-drop.js';
import { correctionSheets } from '../../reading/plan-drop.js';
import {
  type LeftOfFile,
  leftOfFile,
  type ReturnedFile,
  readReturnedFile,
} from '../../staging/correct/returned-file.js';
import { checkReturnedFile } from '../check.js';
import { type ActionContext, sourceNamed } from '../context.js';
import { isTakenIn } from '../upkeep/taken-in.js';

/** What a corrected attention file given by hand would do. */
export interface FilePlan {
  readonly kind: 'file';
  /** The source of the rows that it corrects; of the first rows, where there are several. */
  readonly source: SourceConfig;
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly read: ReturnedFile;
  readonly left: LeftOfFile;
  readonly checked: Awaited<ReturnType<typeof checkReturnedFile>>;
}

/**
 * Works out what a corrected attention file would do, as `check` does; writes nothing. @param limit how many rows are
 * shown.
 */
export async function planFile(context: ActionContext, path: string, limit: number): Promise<FilePlan> {
  const { ledger, config } = context;
  const name = basename(path);
  const about = (message: string, hint: string) =>
    new OperatorError({
      operation: 'correct rows by a file',
      subject: path,
      message,
      hint,
      exit: 'attention',
    });
  const [first] = config.sources;
  if (first === undefined)
    throw about('registrar.yaml has no source', 'Add one: registrar source add NAME --sample FILE.');
  const opened = await openDrop(path, {});
  const sheets = await correctionSheets(opened);
  if (sheets.length === 0) {
    throw about(
      `${name} isn't an attention file: it has no columns _row and _drop`,
      "Put an export into its source's inbox; a single row is corrected with --set.",
    );
  }
  const read = await readReturnedFile(opened, sheets, ledger, config.sources);
  const checked = await checkReturnedFile(context, read, limit);
  if (checked.dispositions === null) {
    throw about(`${name} can't be imported: ${checked.refused.map(issueText).join(' ')}`, '');
  }
  const [correction] = checked.corrections;
  const source = correction === undefined ? first : sourceNamed(config, correction.source);
  const { sha256 } = opened.identity;
  if (await isTakenIn(ledger, source.name, sha256)) {
    throw about(`${name} was already imported, and corrects nothing again`, 'Correct other cells in it.');
  }
  return { kind: 'file', source, path, name, sha256, read, left: leftOfFile(read), checked };
}
