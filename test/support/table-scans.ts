import { fileOf, type Ledger } from '../../src/ledger/store/query.js';

/** Tables whose rows grow with every row of a file or every request; read as a whole they take seconds. */
const LARGE = ['submission', 'row', 'drop_file', 'issue', 'transition', 'attempt', 'response'];

/**
 * The steps of the ledger's queries that scan one of these tables.
 * @param large names of tables; else those that take seconds.
 */
export function tableScans(ledger: Ledger, large: readonly string[] = LARGE): string[] {
  const queries = [...fileOf(ledger).statements.keys()].filter((text) => text.startsWith('select'));
  return queries.flatMap((text) => {
    const steps = fileOf(ledger)
      .sqlite.prepare(`explain query plan ${text}`)
      .all(...placeholders(text)) as {
      detail: string;
    }[];
    const parts = new Set(
      steps.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)$/.exec(detail)?.[1] ?? []),
    );
    return steps.map(({ detail }) => detail).filter((detail) => isWholeTable(detail, text, large, parts));
  });
}

/** A value for each parameter, which a plan doesn't depend on. A text, because some are read as JSON. */
function placeholders(text: string): string[] {
  return [...text.matchAll(/\?/g)].map(() => '1');
}

/** A scan of an index of all submissions looks each of them up. */
const FULL_INDEX = /^SCAN \w+ USING INDEX (?:submission_row|sqlite_autoindex_submission_1)\b/;

/** A scan names the alias of its table, or of a part of the query; an index that has all the columns is no scan of the table. */
function isWholeTable(
  detail: string,
  text: string,
  large: readonly string[],
  parts: ReadonlySet<string>,
): boolean {
  if (FULL_INDEX.test(detail)) return true;
  const [, alias] = /^SCAN (\w+)(?! USING (?:COVERING )?INDEX)/.exec(detail) ?? [];
  if (alias === undefined || parts.has(alias)) return false;
  return large.some(
    (table) => alias === table || new RegExp(`"?\\b${table}"?(?: as)? "?${alias}"?\\b`).test(text),
  );
}
