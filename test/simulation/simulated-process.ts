import type { Clock } from '../../src/domain/clock.js';
import type { Owner } from '../../src/ledger/leases/owner.js';
import type { VirtualTime } from '../support/virtual-time.js';

/** The machine that all processes run on: what its clocks say, and which boot it is. */
export interface Machine {
  readonly time: VirtualTime;
  /** Wall-clock time beside virtual time; moves when the clock is set. */
  wallMs: number;
  /** How often it has booted; names the boot. */
  boots: number;
  /** When it booted, in virtual time. */
  bootedMs: number;
}

/** A process that can die between any two statements, or sleep through whatever happens. */
export interface SimulatedProcess {
  readonly name: string;
  readonly owner: Owner;
  readonly clock: Clock;
  isAlive(): boolean;
  /**
   * Lets something happen in this process: never when it has died, later when it is stopped. What comes from outside
   * (`answer`) comes after the timers that ran out meanwhile, as in a process that is let go on.
   * @returns takes it back.
   */
  after(ms: number, what: 'timer' | 'answer', happen: () => void): () => void;
  /** kill -9: nothing that it has begun goes on. */
  crash(): void;
  /** SIGSTOP, and SIGCONT after so long. */
  stop(forMs: number): void;
}

export function simulatedProcess(machine: Machine, name: string, host: string): SimulatedProcess {
  const { time } = machine;
  const { boots, bootedMs } = machine;
  let isAlive = true;
  let stoppedUntilMs = 0;

  const after: SimulatedProcess['after'] = (ms, what, happen) => {
    let takeBack = () => {};
    const due = () => {
      if (!isAlive) return;
      if (time.passedMs() >= stoppedUntilMs) return happen();
      takeBack = time.at(stoppedUntilMs + (what === 'answer' ? 1 : 0), due);
    };
    takeBack = time.at(time.passedMs() + ms, due);
    return () => takeBack();
  };

  return {
    name,
    // Of the living processes the kernel says that they live; what it says of dead ones is written into their leases.
    owner: { id: name, pid: process.pid, pidStarted: null, host },
    clock: {
      bootId: `boot-${boots}`,
      nowMs: () => machine.wallMs + time.passedMs(),
      monotonicMs: () => time.passedMs() - bootedMs,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted || ms <= 0) return resolve();
          const wake = () => {
            takeBack();
            signal?.removeEventListener('abort', wake);
            resolve();
          };
          const takeBack = after(ms, 'timer', wake);
          signal?.addEventListener('abort', wake, { once: true });
        }),
    },
    isAlive: () => isAlive,
    after,
    crash() {
      isAlive = false;
    },
    stop(forMs) {
      stoppedUntilMs = Math.max(stoppedUntilMs, time.passedMs() + forMs);
    },
  };
}
