import type { Clock } from '../domain/clock.js';

/** Faults in a row after which the fault is the environment's, not its rows'. */
const FAULTS_TO_OPEN = 5;
const FIRST_PROBE_MS = 1_000;
const LONGEST_PROBE_MS = 30_000;

/** A closed breaker; with `isDown` an open one, for an environment that is known to be down. */
export function circuitBreaker(clock: Clock, isDown = false) {
  let faults = 0;
  let open = isDown;
  let proven = false;
  let probes = 0;
  let firstFaultMs = clock.monotonicMs();
  let nextProbeMs = 0;
  return {
    isOpen: () => open,
    /**
     * True where a passing fault at this moment is the row's own: the environment has given a sound answer before, and the
     * fault wouldn't open the breaker. Otherwise the platform may be down, which costs no row a try.
     */
    blamesRow: () => proven && !open && faults + 1 < FAULTS_TO_OPEN,
    /** How long until the next probe may go; 0: now. */
    probeInMs: () => (open ? Math.max(0, nextProbeMs - clock.monotonicMs()) : 0),
    /** How long the environment has been without a sound answer; 0 while it works. */
    outageMs: () => (open ? clock.monotonicMs() - firstFaultMs : 0),
    /** A valid answer came, whatever its verdict on the row. */
    worked() {
      faults = 0;
      probes = 0;
      open = false;
      proven = true;
    },
    /**
     * A passing fault or no answer.
     * @param atOnce a fault without any row's part (the token host), which opens the breaker alone.
     * @param waitMs the wait that the platform requires; null where it names none.
     */
    faulted(atOnce = false, waitMs: number | null = null) {
      const now = clock.monotonicMs();
      if (faults === 0) firstFaultMs = now;
      faults += 1;
      open ||= atOnce || faults >= FAULTS_TO_OPEN;
      if (!open) return;
      nextProbeMs = now + Math.max(Math.min(FIRST_PROBE_MS * 2 ** probes, LONGEST_PROBE_MS), waitMs ?? 0);
      probes = Math.min(probes + 1, 30);
    },
  };
}
