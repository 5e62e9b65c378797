import type { SourceConfig } from '../config/schema.js';
import { globMatcher } from '../config/values/glob.js';
import { type Issue, issueOf, type Refused, refused } from '../domain/issue.js';
import { agreeing } from '../domain/text/count-of.js';
import type { SheetFacts } from '../intake/opened-drop.js';

/**
 * The sheets that count by a source's settings, in the workbook's order; null: the source doesn't say. A sheet that is named must
 * exist and may be hidden; a pattern fits visible sheets alone.
 */
export function countedSheets(
  sheets: readonly SheetFacts[],
  source: Pick<SourceConfig, 'sheet' | 'sheets'>,
): readonly string[] | Refused | null {
  const wanted = source.sheet !== undefined ? [source.sheet] : source.sheets;
  if (wanted === undefined) return null;
  const names = sheets.map(({ name }) => name);
  const missing = wanted.filter((each) => !isPattern(each) && !names.includes(each));
  if (missing.length > 0) return refused(...missing.map((name) => noSuchSheet(name, names)));
  const counted = sheets
    .filter(({ name, state }) =>
      wanted.some(
        (each) => each === name || (state === 'visible' && isPattern(each) && globMatcher(each)(name)),
      ),
    )
    .map(({ name }) => name);
  if (counted.length === 0) return refused(noSuchSheet(wanted.join(', '), names));
  return counted;
}

/** Excel opens no workbook with these characters in a sheet's name. */
function isPattern(name: string): boolean {
  return /[*?]/.test(name);
}

export function severalSheets(names: readonly string[]): Issue {
  return issueOf(
    'sheet-ambiguous',
    null,
    `${names.length} sheets have a header that maps: ${quoted(names)}.`,
    `${sayWhich(names)}, for the source in registrar.yaml.`,
    names.join(', '),
  );
}

export function uncountedSheets(read: string, others: readonly string[]): Issue {
  return issueOf(
    'sheet-uncounted',
    null,
    `${agreeing(others.length, 'The sheet', 'The sheets')} ${quoted(others)} ${agreeing(others.length, 'has', 'have')} no header that maps, and rows that could be records: they may go on with those of "${read}".`,
    `${sayWhich([read, ...others])}, for the source in registrar.yaml. Patterns are known: "${read} (*)".`,
    others.join(', '),
  );
}

function sayWhich(names: readonly string[]): string {
  return `Say which sheets count: sheets: [${names.map((name) => JSON.stringify(name)).join(', ')}] where the table goes on from one to the next, or sheet: ${JSON.stringify(names[0])} for that one alone`;
}

export function otherHeader(first: string, sheet: string, line: number): Issue {
  return issueOf(
    'sheet-ambiguous',
    null,
    `The header of the sheet "${sheet}" (line ${line}) is not that of "${first}", with whose table it should go on.`,
    `Remove it from sheets of the source in registrar.yaml, and drop its data as a separate file.`,
    sheet,
  );
}

function noSuchSheet(sheet: string, names: readonly string[]): Issue {
  return issueOf(
    'header-missing',
    null,
    `The workbook has no sheet "${sheet}"; it has ${quoted(names)}.`,
    'Correct sheet or sheets of the source in registrar.yaml.',
    sheet,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
