import type { DropSummary } from '../ledger/drop-list.js';

/** The names of a repeated file besides the one it is listed under, to follow "came in again"; '' where it has no other. */
export function otherNames({
  file,
  firstFile,
  repeatedNames,
}: Pick<DropSummary, 'file' | 'firstFile' | 'repeatedNames'>): string {
  const also = repeatedNames.filter((name) => name !== file);
  const names = [
    ...(also.length > 0 ? [`also as ${also.join(', ')}`] : []),
    ...(firstFile === file ? [] : [`first as ${firstFile}`]),
  ];
  return names.length === 0 ? '' : ` (${names.join('; ')})`;
}
