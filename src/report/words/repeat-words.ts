import type { DropSummary } from '../../ledger/drops/drop-list.js';

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

/** That the file has changed since it was taken in; none where nobody has seen that. */
export function changedWords({ changedAt }: Pick<DropSummary, 'changedAt'>): string[] {
  return changedAt === null
    ? []
    : ['changed after it was taken in: what it held then comes in as another drop'];
}
