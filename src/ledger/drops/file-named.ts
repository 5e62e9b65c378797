import { type RawBuilder, sql } from 'kysely';

/** Condition on `drop as d`: a file of this name, with all of its sheets where several are a drop each. */
export function fileNamed(name: string): RawBuilder<boolean> {
  return sql<boolean>`(d.file_name = ${name} or (d.part <> '' and d.file_name = ${name} || '#' || d.part))`;
}

/** Condition on `drop as d`: a further sheet of a file's table, and no sheet of corrections. */
export const isFurtherSheet: RawBuilder<boolean> = sql<boolean>`(d.part <> ''
  and substr(d.file_name, -length(d.part) - 1) = '#' || d.part)`;
