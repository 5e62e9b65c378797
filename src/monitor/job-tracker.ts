import { type Clock, isoFromMs } from '../domain/clock.js';

/** A job of the service, as pages and metrics show it. */
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

export interface JobDefinition extends Pick<JobView, 'name' | 'lastSuccessAt'> {
  /** ISO time at which it is due next; null: it has no schedule. */
  nextAt(): string | null;
}

export type JobsView = Pick<ReturnType<typeof jobTracker>, 'jobs' | 'aliveAtMs'>;

/** Tracks the jobs of a service and how each last ended. */
export function jobTracker(clock: Clock) {
  let definitions: readonly JobDefinition[] = [];
  const ends = new Map<string, Pick<JobView, 'lastSuccessAt' | 'lastEnd'>>();
  /** A list, because files of two sources are imported concurrently. */
  const underWay: string[] = [];
  let aliveAtMs = clock.monotonicMs();
  return {
    jobs: (): readonly JobView[] =>
      definitions.map(({ name, lastSuccessAt, nextAt }) => ({
        name,
        lastSuccessAt: ends.get(name)?.lastSuccessAt ?? lastSuccessAt,
        lastEnd: ends.get(name)?.lastEnd ?? null,
        isUnderWay: underWay.includes(name),
        nextAt: nextAt(),
      })),
    /** The last heartbeat of the job loop, in monotonic milliseconds. */
    aliveAtMs: () => aliveAtMs,
    setJobs(jobs: readonly JobDefinition[]) {
      definitions = jobs;
    },
    heartbeat() {
      aliveAtMs = clock.monotonicMs();
    },
    /** Records the start and the end of a job. @param endOf the end in one word, and whether it is a success. */
    async track<T>(
      name: string,
      work: () => Promise<T>,
      endOf: (result: T) => { readonly end: string; readonly isSuccess: boolean },
    ): Promise<T> {
      let lastEnd = 'error';
      let successAt: string | null = null;
      underWay.push(name);
      try {
        const result = await work();
        const { end, isSuccess } = endOf(result);
        lastEnd = end;
        if (isSuccess) successAt = isoFromMs(clock.nowMs());
        return result;
      } finally {
        underWay.splice(underWay.indexOf(name), 1);
        ends.set(name, { lastEnd, lastSuccessAt: successAt ?? ends.get(name)?.lastSuccessAt ?? null });
      }
    },
  };
}
