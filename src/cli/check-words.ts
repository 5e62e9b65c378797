import type { CheckedFile } from '../actions/check.js';
import type { Inspected } from '../actions/inspect.js';
import { correctedTable, issueTable } from '../actions/rows/plan-tables.js';
import type { SampleFindings } from '../actions/setup/read-sample.js';
import { CONFIG_FILE } from '../config/load-config.js';
import type { Guess } from '../config/yaml/yaml-writer.js';
import { issuesText } from '../domain/issue.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleStrings, visibleText } from '../domain/text/visible-text.js';
import { correctedText } from '../report/correction-text.js';
import { tableText } from '../report/terminal.js';
import { decidingWords, sheetWords } from '../report/words/sheet-words.js';

/** The lines of a file that say in which zone its times are, one a line. */
export function zoneNoteText({ zoneNotes }: Pick<Inspected, 'zoneNotes'>): string {
  return zoneNotes.map(({ line, text }) => `Zone of times, by line ${line}: ${visibleText(text)}\n`).join('');
}

export function checkText(checked: CheckedFile, columns: number | null): string {
  const { dispositions, hiddenRows, issues, omitted, records, corrections, refused, sheetsLeft } =
    visibleStrings(checked);
  const deciding = checked.inspected.deciding.map(visibleText);
  const aside = issuesText(refused);
  if (dispositions === null) return `The file would be refused: ${aside}\n`;
  const counts = Object.entries(dispositions).filter(([, count]) => count > 0);
  const lines = [
    ...(aside === '' ? [] : [`A sheet would not be imported: ${aside}`]),
    counts.length === 0 ? 'no rows' : counts.map(([name, count]) => `${count} ${name}`).join(', '),
    ...(deciding.length > 0 ? [decidingWords(deciding)] : []),
    ...omitted.map(
      ({ column, count, code }) =>
        `Left out: ${countOf(count, 'row')} ${agreeing(count, 'is', 'are')} sent without "${column}", which can't be read (${code}).`,
    ),
    ...sheetWords({ dispositions, hiddenRows, sheetsLeft }),
    '',
  ];
  for (const sheet of corrections) {
    const table = correctedTable(sheet);
    lines.push(`${table.caption}. ${correctedText(sheet)}`, tableText(table, columns), '');
  }
  const ofRows = issueTable('', issues);
  if (ofRows.rows.length > 0) lines.push(tableText(ofRows, columns), '');
  for (const { sheet, line, request } of records) {
    lines.push(
      `line ${line}${sheet === undefined ? '' : ` of sheet ${sheet}`}: ${request.method} ${request.path} ${JSON.stringify(request.body)}`,
    );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Whether the sample would come in unchanged, in the words of `check`. */
export function verdictText(fileName: string, checked: CheckedFile, columns: number | null): string {
  // Skipped rows are skipped rightly, so there is nothing to do about them.
  const issues = checked.isClean ? [] : checked.issues;
  const text = checkText({ ...checked, issues, records: [] }, columns);
  return checked.isClean
    ? `A check of ${fileName} is clean: ${text}`
    : `A check of ${fileName} says:\n${text}`;
}

/** What to do about the fields that no column of a sample gives. @param check the command that follows. */
export function missingColumns(sample: SampleFindings | undefined, check: string): string[] {
  if (sample === undefined || sample.missing.length === 0) return [];
  const fields = sample.missing.map(({ field }) => field).join(', ');
  return [
    `No column gives ${fields}. Add the setting below to ${CONFIG_FILE}; nothing can be delivered without it. Then check again: ${check}`,
  ];
}

export function confirmText(guesses: readonly Guess[]): string {
  const guessed = guesses.map(({ key, value }) => `${key} (${visibleText(value)})`);
  return `confirm ${guessed.join(', ')} in ${CONFIG_FILE}`;
}

export function verdictDocument({ isClean, dispositions, issues }: CheckedFile) {
  return { clean: isClean, dispositions, issues };
}
