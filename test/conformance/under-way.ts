import { onTestFinished } from 'vitest';
import { type NewRun, withRun } from '../../src/ledger/attempts/with-run.js';
import { type HeldLeases, type LeaseName, withLeases } from '../../src/ledger/leases/leases.js';
import { type Owner, thisProcess } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';

/** The work of a verb that does something before and after it, while it goes on. */
export interface UnderWay<Held> {
  readonly held: Held;
  /** Lets the work end, and the verb with it. */
  end(): Promise<void>;
}

/**
 * Begins the work of such a verb, which goes on until it is ended, or the test is.
 * @param result what the work returns.
 */
export function underWay<Held, Result>(
  verb: (work: (held: Held) => Promise<Result>) => Promise<unknown>,
  result: Result,
): Promise<UnderWay<Held>> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const ended = new Promise<void>((wake) => over.signal.addEventListener('abort', () => wake()));
    const done = verb(async (held) => {
      resolve({ held, end });
      await ended;
      return result;
    });
    const end = async () => {
      over.abort();
      await done;
    };
    onTestFinished(end);
    done.then((instead) => reject(new Error(`no work began: ${JSON.stringify(instead)}`)), reject);
  });
}

/**
 * A process on a machine of its own: no process can check whether it lives, so its heartbeat alone decides.
 */
export function elsewhere(name: string, pid = 1): Owner {
  return { id: name, pid, pidStarted: null, host: `${name}.example` };
}

/** A run of this process that goes on as long as the test. @returns its number. */
export async function runUnderWay(ledger: Ledger, more: Partial<NewRun> = {}): Promise<number> {
  const run: NewRun = {
    trigger: 'manual',
    owner: thisProcess(),
    version: 'test',
    environments: null,
    ...more,
  };
  const begun = await underWay(
    (work: (begun: { runId: number }) => Promise<null>) => withRun(ledger, run, work, () => 'done'),
    null,
  );
  return begun.held.runId;
}

/** A lease that its owner keeps until it is ended, or the test is. */
export function leaseUnderWay(
  ledger: Ledger,
  name: LeaseName,
  owner: Owner = thisProcess(),
): Promise<UnderWay<HeldLeases<readonly [LeaseName]>>> {
  return underWay((work) => withLeases(ledger, [name], owner, null, work), null);
}
