import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { whyNotMapped } from '../mapping/header-aliases.js';
import { isAdded } from '../mapping/header-column.js';
import type { HeaderMatch } from '../mapping/match-headers.js';
import { areAddresses, areScores, areTimes, sampleValues } from '../mapping/sample-values.js';

/**
 * Columns for fields that no header names, by the sample's values: addresses, times, and scores with their own scale. Only where
 * exactly one column fits; a proposal that a person confirms. By field: the column's header.
 */
export function columnsByContent(
  headers: readonly string[],
  sample: readonly (readonly Cell[])[],
  match: HeaderMatch,
  operation: Operation,
): Readonly<Record<string, string>> {
  const taken = new Set(Object.values(match.mapped).map(({ index }) => index));
  const found: Record<string, string> = {};
  for (const field of operation.fields) {
    const holds = kindOfValues(field);
    const isDecided = match.mapped[field.name] !== undefined || match.ambiguous.includes(field.name);
    if (holds === null || isDecided || match.preset?.columns[field.name]?.length === 0) continue;
    const fitting = headers.flatMap((header, index) => {
      const { text } = normaliseHeader(header);
      const isFree =
        text !== '' && !isAdded(header) && !taken.has(index) && whyNotMapped(text, field) === null;
      return isFree && holds(sampleValues(sample, index)) ? [{ header, index }] : [];
    });
    const [only, another] = fitting;
    if (only === undefined || another || headers.filter((header) => header === only.header).length > 1)
      continue;
    taken.add(only.index);
    found[field.name] = only.header;
  }
  return found;
}

function kindOfValues({ kind, required }: Field): ((values: readonly Cell[]) => boolean) | null {
  if (kind === 'learner' && required) return areAddresses;
  if (kind === 'timestamp' && required) return areTimes;
  return kind === 'score' ? areScores : null;
}
