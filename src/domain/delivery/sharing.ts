import type { NextDelivery } from '../cause.js';

/** The facts of a record that decide which request it leaves in. */
export interface Sharer {
  /** The identifier of its content: records for which it is equal may leave in one request. */
  readonly group: string;
  readonly nextDelivery: NextDelivery | null;
}

/** False where a record leaves in a request of its own, whatever else waits. */
export function goesTogether({ nextDelivery }: Pick<Sharer, 'nextDelivery'>): boolean {
  return nextDelivery !== 'alone';
}

/** True where a request that has so many records takes no more. */
export function isFull(records: number, most: number): boolean {
  return records >= most;
}

/** True where a record may leave in the request of another. */
export function mayShare(first: Sharer, other: Sharer): boolean {
  return first.group === other.group && goesTogether(first) && goesTogether(other);
}

/**
 * Puts records into requests, where only the order of the records limits which of them share one: each record joins the open
 * request of its group, or begins a new one.
 * @param most null: each record leaves in a request of its own.
 */
export function requestsOf<T extends Sharer>(records: readonly T[], most: number | null): [T, ...T[]][] {
  const requests: [T, ...T[]][] = [];
  const open = new Map<string, [T, ...T[]]>();
  for (const record of records) {
    const request = open.get(record.group);
    if (most !== null && request && !isFull(request.length, most) && mayShare(request[0], record)) {
      request.push(record);
      continue;
    }
    const alone: [T, ...T[]] = [record];
    requests.push(alone);
    open.set(record.group, alone);
  }
  return requests;
}

/** The number of requests for so many records of one group. */
export function requestsFor(records: number, most: number): number {
  return Math.ceil(records / most);
}
