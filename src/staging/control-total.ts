import type { SourceConfig } from '../config/schema.js';
import type { ExpectedRows } from '../domain/files/control-totals.js';
import { agreeing, countOf } from '../domain/text/count-of.js';

/** What is expected of a drop; null when its source expects nothing. */
export function expectationOf({ control }: Pick<SourceConfig, 'control'>): ExpectedRows | null {
  return control === undefined ? null : { min: control.rows.min, max: control.rows.max ?? null };
}

/** The sentences of the refusal of a drop. @param read rows of data that were read. */
export function refusalText({ min, max }: ExpectedRows, read: number): string {
  const were = `and ${read} ${agreeing(read, 'was', 'were')} read.`;
  const words = [
    ...(min !== null && read < min
      ? [`At least ${countOf(min, 'row is', 'rows are')} expected, ${were}`]
      : []),
    ...(max !== null && read > max
      ? [`At most ${countOf(max, 'row is', 'rows are')} expected, ${were}`]
      : []),
  ];
  return [...words, REMEDY].join(' ');
}

const REMEDY =
  'Have the whole file sent again; or, when it is right as it is, correct control.rows of the source and put the file back into the inbox.';
