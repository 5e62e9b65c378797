import type { Issue } from '../domain/issue.js';
import { agreeing } from '../domain/text/count-of.js';

/** Several sheets have a header, and nothing says which counts. */
export function severalSheets(names: readonly string[]): Issue {
  return {
    code: 'sheet-ambiguous',
    column: null,
    value: names.join(', '),
    message: `${names.length} sheets have a header that maps: ${quoted(names)}.`,
    remedy: sayWhich(names),
  };
}

/** Sheets that the source doesn't name may hold records. */
export function uncountedSheets(read: string, others: readonly string[]): Issue {
  return {
    code: 'sheet-uncounted',
    column: null,
    value: others.join(', '),
    message: `${agreeing(others.length, 'The sheet', 'The sheets')} ${quoted(others)} ${agreeing(others.length, 'has', 'have')} no header that maps, and rows that could be records: they may go on with those of "${read}".`,
    remedy: sayWhich([read, ...others]),
  };
}

function sayWhich([first, ...others]: readonly string[]): string {
  return `Put the rows on one sheet below one header; or save ${quoted(others)} as ${agreeing(others.length, 'a file of its own', 'files of their own')}, with the header, and say which sheet counts: sheet: ${JSON.stringify(first)} for the source in registrar.yaml.`;
}

/** The source names a sheet that the workbook lacks. */
export function noSuchSheet(sheet: string, names: readonly string[]): Issue {
  return {
    code: 'header-missing',
    column: null,
    value: sheet,
    message: `The workbook has no sheet "${sheet}"; it has ${quoted(names)}.`,
    remedy: 'Correct sheet of the source in registrar.yaml.',
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
