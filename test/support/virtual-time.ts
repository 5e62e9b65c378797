/** Time that passes only while nothing happens: from one happening it jumps to the next. */
export interface VirtualTime {
  /** Milliseconds since it began. */
  passedMs(): number;
  /**
   * Schedules an event; events due at the same time happen in the order of the calls. @returns cancels it.
   */
  at(atMs: number, happen: () => void): () => void;
  /** Nothing happens any more. */
  stop(): void;
}

interface Happening {
  readonly atMs: number;
  readonly order: number;
  happen: (() => void) | null;
}

/** After so many events, the machine's own input and output get a turn. */
const TURNS = 1_000;

/**
 * Begins at 0. One happening at a time, and the next only when all promises that it set off have come to rest: a tick
 * that is requested while promises are being settled comes after the last of them. The same happenings come in the same
 * order each time.
 * @param atRest what is done before each happening, when all that came of the one before is at rest; null: nothing is.
 */
export function virtualTime(atRest: () => Promise<void> | null = () => null): VirtualTime {
  let heap: Happening[] = [];
  let passedMs = 0;
  let sequence = 0;
  let isTicking = false;
  let turns = 0;
  let isOver = false;

  function tick(): void {
    const doing = atRest();
    if (doing === null) happenNext();
    else void doing.finally(happenNext);
  }

  function happenNext(): void {
    isTicking = false;
    const next = takeFirst(heap);
    if (!next) return;
    if (next.happen !== null) {
      passedMs = Math.max(passedMs, next.atMs);
      next.happen();
    }
    keepTicking();
  }

  function keepTicking(): void {
    if (isTicking || heap.length === 0) return;
    isTicking = true;
    turns = (turns + 1) % TURNS;
    if (turns === 0) setImmediate(tick);
    // Ticks that are requested outside of a promise would come one after the other, before any promise.
    else queueMicrotask(() => process.nextTick(tick));
  }

  return {
    passedMs: () => passedMs,
    at(atMs, happen) {
      if (isOver) return () => {};
      sequence += 1;
      const happening: Happening = { atMs, order: sequence, happen };
      put(heap, happening);
      keepTicking();
      return () => {
        happening.happen = null;
      };
    },
    stop() {
      isOver = true;
      heap = [];
    },
  };
}

/** Resolves `ms` later or when `signal` aborts, as a clock's sleep does. */
export function sleepIn(time: VirtualTime, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve();
    const wake = () => {
      takeBack();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const takeBack = time.at(time.passedMs() + ms, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** A binary heap, the first at 0. */
function put(heap: Happening[], happening: Happening): void {
  let index = heap.length;
  heap.push(happening);
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above] as Happening;
    if (!isBefore(happening, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = happening;
}

function takeFirst(heap: Happening[]): Happening | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    const left = heap[below];
    if (left === undefined) break;
    const right = heap[below + 1];
    if (right !== undefined && isBefore(right, left)) below += 1;
    const child = heap[below] as Happening;
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = below;
  }
  heap[index] = last;
  return first;
}
