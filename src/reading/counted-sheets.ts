import type { SourceConfig } from '../config/schema.js';
import { globMatcher } from '../config/values/glob.js';
import { type Issue, type Refused, refused } from '../domain/issue.js';
import { agreeing } from '../domain/text/count-of.js';
import type { SheetFacts } from '../intake/opened-drop.js';
import { issueFor } from '../normalise/values/reading.js';

/**
 * The sheets that count by a source's settings, in the workbook's order; null: the source doesn't say. A sheet that is named must
 * exist and may be hidden; a pattern fits visible sheets alone.
 */
export function countedSheets(
  sheets: readonly SheetFacts[],
  source: Pick<SourceConfig, 'sheet' | 'sheets'>,
): readonly string[] | Refused | null {
  const configured = source.sheet !== undefined ? [source.sheet] : source.sheets;
  if (configured === undefined) return null;
  const names = sheets.map(({ name }) => name);
  const missing = configured.filter((each) => !isPattern(each) && !names.includes(each));
  if (missing.length > 0)
    return refused(
      ...missing.map((sheet) => issueFor('no-such-sheet', null, { sheet, sheets: quoted(names) }, sheet)),
    );
  const counted = sheets
    .filter(({ name, state }) =>
      configured.some(
        (each) => each === name || (state === 'visible' && isPattern(each) && globMatcher(each)(name)),
      ),
    )
    .map(({ name }) => name);
  const sheet = configured.join(', ');
  if (counted.length === 0)
    return refused(issueFor('no-such-sheet', null, { sheet, sheets: quoted(names) }, sheet));
  return counted;
}

/** Excel opens no workbook with these characters in a sheet's name. */
function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

export function severalSheets(names: readonly string[]): Issue {
  const parts = { count: names.length, sheets: quoted(names), ...choiceOf(names) };
  return issueFor('several-sheets', null, parts, names.join(', '));
}

export function uncountedSheets(read: string, others: readonly string[]): Issue {
  const subject = agreeing(others.length, 'The sheet', 'The sheets');
  const parts = { subject, sheets: quoted(others), have: agreeing(others.length, 'has', 'have'), read };
  return issueFor('uncounted-sheets', null, { ...parts, ...choiceOf([read, ...others]) }, others.join(', '));
}

/** How the choice between sheets is written in registrar.yaml. */
function choiceOf(names: readonly string[]) {
  const [first = ''] = names.map((name) => JSON.stringify(name));
  return { first, list: names.map((name) => JSON.stringify(name)).join(', ') };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
