import type { Operation } from '../../../operations/operation.js';
import { headerKey, normaliseHeader } from '../../header/header-text.js';
import type { FoundHeader } from '../../mapping/find-header.js';
import { aliasMatches } from '../../mapping/header-aliases.js';
import { isAdded } from '../../mapping/header-column.js';
import type { WatchSource } from '../../profile/row-watch.js';
import { type DecidingKind, decidingKind } from './deciding-header.js';

/** A column beside the status that says whether a row counts. */
export interface DecidingColumn {
  /** From 0, column A. */
  readonly index: number;
  /** As the file has it. */
  readonly header: string;
  /** `state`: another name of the status, of which only clear words against the row count. */
  readonly kind: DecidingKind | 'state';
}

/** The columns that neither a field takes nor Registrar has added nor the source ignores, in file order. */
export function freeColumns(
  { columns, match }: Pick<FoundHeader, 'columns' | 'match'>,
  source: Pick<WatchSource, 'status'>,
): readonly { readonly index: number; readonly header: string }[] {
  const mapped = new Set(Object.values(match.mapped).map(({ index }) => index));
  const ignored = new Set(source.status.ignore.map(headerKey));
  return columns.flatMap((header, index) =>
    mapped.has(index) || isAdded(header) || ignored.has(headerKey(header)) ? [] : [{ index, header }],
  );
}

/**
 * The columns that no field takes and that say whether a row counts, in file order; none where the operation has no status, and
 * without those that the source ignores. Words of an outcome count beside a status: without one `watchStatus` asks whether they
 * are the status, and `status: null` says that no column is.
 */
export function decidingColumns(
  found: Pick<FoundHeader, 'columns' | 'match'>,
  operation: Operation,
  source: WatchSource,
): readonly DecidingColumn[] {
  const status = operation.fields.find(({ kind }) => kind === 'status');
  if (!status) return [];
  const hasStatus =
    found.match.mapped[status.name] !== undefined || source.defaults[status.name] !== undefined;
  return freeColumns(found, source).flatMap(({ index, header }) => {
    const isName = () =>
      aliasMatches(normaliseHeader(header).text, operation).some(({ field }) => field === status.name);
    const kind = decidingKind(header) ?? (isName() ? 'state' : null);
    if (kind === null || ((kind === 'outcome' || kind === 'state') && !hasStatus)) return [];
    return [{ index, header, kind }];
  });
}
