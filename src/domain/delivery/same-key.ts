import type { Issue } from '../issue.js';
import type { NormalisedRecord } from '../record.js';
import { countOf } from '../text/count-of.js';

/** Which of several rows counts. `ask`: none, until an operator decides. `last`: as a newer revision. */
export const SAME_KEY_RULES = ['ask', 'best', 'last'] as const;

export type SameKeyRule = (typeof SAME_KEY_RULES)[number];

/** Personal. */
export interface SameKeyRow {
  /** null: on the same sheet as the rows that are judged, or in a text file. */
  readonly sheet: string | null;
  readonly line: number;
  /** Hash of what it delivers. */
  readonly content: string;
  /** What it says; null once erased. */
  readonly fields: NormalisedRecord['fields'] | null;
}

export interface ComparedFields {
  readonly sent: readonly string[];
  /** The one among them that is a score; null: there is none. */
  readonly score: string | null;
  /** The header of a field's column, as the file has it; undefined: no column gives it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExcludedRow {
  readonly kind: 'invalid' | 'skipped';
  readonly issues: readonly [Issue];
}

/** @param rows in the order of the file. @returns for each row what becomes of it; null: it counts. */
export function judgeSameKey(
  rows: readonly SameKeyRow[],
  rule: Exclude<SameKeyRule, 'last'>,
  compared: ComparedFields,
): readonly (ExcludedRow | null)[] {
  const firsts = new Map<string, SameKeyRow>();
  for (const row of rows) if (!firsts.has(row.content)) firsts.set(row.content, row);
  if (firsts.size <= 1) return rows.map(() => null);
  const different = [...firsts.values()];
  const best = rule === 'best' ? bestOf(rows, compared) : null;
  return rows.map((row) => {
    if (best === null) return { kind: 'invalid', issues: [ambiguous(row, different, compared)] };
    return row.content === best.content ? null : { kind: 'skipped', issues: [lower(row, best, compared)] };
  });
}

/** The row with the highest score; of equal ones the last. null where the rows differ in more than the score. */
function bestOf(rows: readonly SameKeyRow[], { sent, score }: ComparedFields): SameKeyRow | null {
  const [first] = rows;
  if (score === null || first?.fields == null) return null;
  const others = sent.filter((field) => field !== score);
  let best = first;
  for (const row of rows) {
    const { fields } = row;
    if (fields === null || others.some((field) => fields[field] !== first.fields?.[field])) return null;
    if (scoreOf(row, score) >= scoreOf(best, score)) best = row;
  }
  return best;
}

/** A score beats none. */
function scoreOf({ fields }: SameKeyRow, score: string): number {
  const value = fields?.[score];
  return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY;
}

/** @param different the first row of each content. */
function ambiguous(row: SameKeyRow, different: readonly SameKeyRow[], compared: ComparedFields): Issue {
  const others = different.slice(0, MAX_NAMED + 1).filter(({ content }) => content !== row.content);
  const field = differing(row, others, compared);
  const header = headerOf(field, compared);
  const named = others.slice(0, MAX_NAMED).map((other) => `${shown(other, field)} ${placeOf(other)}`);
  const more = different.length - 1 - named.length;
  if (more > 0) named.push(`${countOf(more, 'other value')} on other lines`);
  return {
    code: 'same-key-differs',
    column: header,
    value: valueText(row, field),
    message: `${header} is ${shown(row, field)} here and ${named.join(' and ')}, in rows about ${THE_SAME}`,
    remedy: SAME_KEY_REMEDY,
  };
}

function lower(row: SameKeyRow, best: SameKeyRow, compared: ComparedFields): Issue {
  const field = compared.score ?? '';
  const header = headerOf(field, compared);
  return {
    code: 'same-key-lower',
    column: header,
    value: valueText(row, field),
    message: `${header} is ${shown(row, field)} here and ${shown(best, field)} ${placeOf(best)}, in rows about ${THE_SAME}: the highest counts, as the source says`,
    remedy:
      'Nothing to do. Set sameKey of the source to ask or last where the highest score should not count.',
  };
}

export const SAME_KEY_REMEDY =
  'Correct the rows in the file. Or set sameKey of the source to best (the highest score counts) or last (the last row counts), or dismiss the rows that should not count; then read the file again.';

const THE_SAME = 'the same learner, content and time';

/** The most other rows that an issue names. */
const MAX_NAMED = 3;

/** The first field in which the row differs from another. Where the others are erased, it is the score, if anything. */
function differing(row: SameKeyRow, others: readonly SameKeyRow[], { sent, score }: ComparedFields): string {
  const differs = (field: string) =>
    others.some(({ fields }) => fields !== null && fields[field] !== row.fields?.[field]);
  return sent.find(differs) ?? score ?? '';
}

function headerOf(field: string, { headers }: ComparedFields): string {
  return headers[field] ?? field;
}

function valueText({ fields }: SameKeyRow, field: string): string | null {
  const value = fields?.[field];
  return value === undefined ? null : String(value);
}

function shown(row: SameKeyRow, field: string): string {
  return row.fields === null ? 'erased' : (valueText(row, field) ?? 'empty');
}

function placeOf({ sheet, line }: SameKeyRow): string {
  return sheet === null ? `on line ${line}` : `on line ${line} of sheet ${sheet}`;
}
