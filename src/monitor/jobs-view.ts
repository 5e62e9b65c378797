import { type Clock, isoFromMs } from '../domain/clock.js';

/** A job of the service, as those see it who watch the service. */
export interface JobView {
  /** A word such as `run` or `report`; never personal. */
  readonly name: string;
  /** ISO time; null: it has never succeeded. */
  readonly lastSuccessAt: string | null;
  /** How it ended last, in one word; null: it never has. */
  readonly lastEnd: string | null;
  readonly isUnderWay: boolean;
  /** ISO time at which it is due next; null: unknown. */
  readonly nextAt: string | null;
}

/** The jobs of the service, and whether the loop behind them goes round. */
export interface JobsView {
  jobs(): readonly JobView[];
  /** When the loop went round last, in monotonic milliseconds of the clock. */
  aliveAtMs(): number;
}

export interface KnownJob extends Pick<JobView, 'name' | 'lastSuccessAt'> {
  /** ISO time at which it is due next; null: it is not called by the clock. */
  nextAt(): string | null;
}

/** Records what jobs do, for the pages and metrics. */
export interface JobsBook extends JobsView {
  /** The jobs that there are from now on. */
  know(jobs: readonly KnownJob[]): void;
  /** Keeps how one run of a job goes. @param endOf the end in one word, and whether it is a success. */
  keep<T>(name: string, work: () => Promise<T>, endOf: (result: T) => JobEnd): Promise<T>;
  /** Notes that the loop goes round. */
  beat(): void;
}

/** How a job ended. */
export interface JobEnd {
  readonly end: string;
  readonly isSuccess: boolean;
}

/** What a book keeps of a job. */
interface JobRecord {
  lastSuccessAt: string | null;
  lastEnd: string | null;
  /** How many are under way: files of two sources are imported side by side. */
  underWay: number;
}

/** A book that knows no job yet. */
export function jobsBook(clock: Clock): JobsBook {
  let listed: readonly KnownJob[] = [];
  const ends = new Map<string, JobRecord>();
  let aliveAtMs = clock.monotonicMs();
  const recordOf = (name: string): JobRecord => {
    const one = ends.get(name) ?? { lastSuccessAt: null, lastEnd: null, underWay: 0 };
    ends.set(name, one);
    return one;
  };
  return {
    jobs: () =>
      listed.map(({ name, lastSuccessAt, nextAt }) => {
        const own = recordOf(name);
        return {
          name,
          lastSuccessAt: own.lastSuccessAt ?? lastSuccessAt,
          lastEnd: own.lastEnd,
          isUnderWay: own.underWay > 0,
          nextAt: nextAt(),
        };
      }),
    aliveAtMs: () => aliveAtMs,
    know(jobs) {
      listed = jobs;
    },
    beat() {
      aliveAtMs = clock.monotonicMs();
    },
    async keep(name, work, endOf) {
      const own = recordOf(name);
      own.underWay += 1;
      try {
        const result = await work();
        const { end, isSuccess } = endOf(result);
        own.lastEnd = end;
        if (isSuccess) own.lastSuccessAt = isoFromMs(clock.nowMs());
        return result;
      } catch (error) {
        own.lastEnd = 'error';
        throw error;
      } finally {
        own.underWay -= 1;
      }
    },
  };
}
