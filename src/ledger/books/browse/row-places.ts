import type { SelectableState } from '../../../domain/selection.js';

/** Where a row stands in a list that is ordered by drop, line and submission. */
export interface RowPlace {
  readonly dropId: number;
  readonly line: number;
  /** 0 for a row that became no submission. */
  readonly submissionId: number;
}

/** A row of a list. */
export interface ListedPlace extends RowPlace {
  readonly state: SelectableState;
}

/** What a part of a list gives from a place on. */
export interface Piece {
  readonly places: readonly ListedPlace[];
  /** Further rows may come after this place, which aren't looked at yet; null: the part ends with these. */
  readonly upTo: RowPlace | null;
}

/** A part of a list: rows that one index gives in the order of the list. */
export interface RowStream {
  /** The rows after a place, so many at most; null: from the beginning. */
  readonly after: (after: RowPlace | null, limit: number) => Promise<Piece>;
  /** How many rows it has; null where telling that takes too long. */
  readonly count: () => Promise<number | null>;
}

/** In which direction a list goes. */
export type Direction = 'asc' | 'desc';

/** Drops with numbers from one to another, both included. */
export interface DropRange {
  readonly from: number;
  readonly to: number;
}

/** All drops. */
export const ALL_DROPS: readonly DropRange[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** Negative where `a` comes before `b`. */
function comparePlaces(a: RowPlace, b: RowPlace, direction: Direction): number {
  const order = a.dropId - b.dropId || a.line - b.line || a.submissionId - b.submissionId;
  return direction === 'asc' ? order : -order;
}

/** These drops as few ranges: those that follow each other among all drops are one. Both lists are ascending. */
export function rangesOf(wanted: readonly number[], all: readonly number[]): DropRange[] {
  const ranges: { from: number; to: number }[] = [];
  const isWanted = new Set(wanted);
  let last: { from: number; to: number } | null = null;
  for (const dropId of all) {
    if (!isWanted.has(dropId)) last = null;
    else if (last !== null) last.to = dropId;
    else {
      last = { from: dropId, to: dropId };
      ranges.push(last);
    }
  }
  return ranges;
}

/** The most ranges that are read for one page. */
const MOST_RANGES = 50;

/** What reading one range gave, and how many rows were looked at for it. */
export interface RangePiece extends Piece {
  readonly looked: number;
}

/** The bounds between which rows are wanted, both left out. */
export interface Bounds {
  readonly above: RowPlace;
  readonly below: RowPlace;
}

/**
 * Reads range by range, so that each has its rows in the order of an index.
 * @param most how many rows may be looked at altogether.
 */
export async function rangeByRange(
  {
    ranges,
    direction,
    most,
  }: { readonly ranges: readonly DropRange[]; readonly direction: Direction; readonly most: number },
  after: RowPlace | null,
  limit: number,
  read: (bounds: Bounds, limit: number, most: number) => Promise<RangePiece>,
): Promise<Piece> {
  const places: ListedPlace[] = [];
  let left = most;
  let asked = 0;
  for (const range of direction === 'asc' ? ranges : ranges.toReversed()) {
    const bounds = boundsOf(range, after, direction);
    if (comparePlaces(bounds.above, bounds.below, 'asc') >= 0) continue;
    const begin = direction === 'asc' ? bounds.above : bounds.below;
    if (left <= 0 || asked >= MOST_RANGES) return { places, upTo: begin };
    const piece = await read(bounds, limit - places.length, left);
    places.push(...piece.places);
    if (piece.upTo !== null) return { places, upTo: piece.upTo };
    left -= piece.looked;
    asked += 1;
  }
  return { places, upTo: null };
}

function boundsOf({ from, to }: DropRange, after: RowPlace | null, direction: Direction): Bounds {
  const above = { dropId: from, line: 0, submissionId: 0 };
  const below = { dropId: to, line: Number.MAX_SAFE_INTEGER, submissionId: Number.MAX_SAFE_INTEGER };
  if (after === null) return { above, below };
  return direction === 'asc'
    ? { above: comparePlaces(after, above, 'asc') > 0 ? after : above, below }
    : { above, below: comparePlaces(after, below, 'asc') < 0 ? after : below };
}

/** Rows that are listed already: few, such as those of a learner. */
export function listStream(places: readonly ListedPlace[], direction: Direction): RowStream {
  const inOrder = places.toSorted((a, b) => comparePlaces(a, b, direction));
  return {
    after: async (after, limit) => {
      const rest =
        after === null ? inOrder : inOrder.filter((one) => comparePlaces(one, after, direction) > 0);
      const piece = rest.slice(0, limit);
      return { places: piece, upTo: rest.length > limit ? (piece.at(-1) ?? null) : null };
    },
    count: async () => inOrder.length,
  };
}

/** What several parts give together, in order. */
export async function piecesTogether(
  streams: readonly RowStream[],
  direction: Direction,
  after: RowPlace | null,
  limit: number,
): Promise<Piece> {
  const pieces: Piece[] = [];
  for (const stream of streams) pieces.push(await stream.after(after, limit));
  // Beyond the place up to which each part was looked through, rows of another part may be missing.
  const [bound = null] = pieces
    .flatMap(({ upTo }) => (upTo === null ? [] : [upTo]))
    .sort((a, b) => comparePlaces(a, b, direction));
  const within = pieces
    .flatMap(({ places }) => places)
    .filter((place) => bound === null || comparePlaces(place, bound, direction) <= 0)
    .sort((a, b) => comparePlaces(a, b, direction));
  const places = within.slice(0, limit);
  if (places.length < within.length) return { places, upTo: places.at(-1) ?? null };
  return { places, upTo: bound };
}
