import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One round of one contender. */
export interface Measured {
  readonly ms: number;
  /** Time its threads computed, which other processes on the machine disturb less; 0 where it isn't known. */
  readonly cpuMs: number;
  /** Resident memory at its highest; 0 where it isn't known. */
  readonly peakMb: number;
}

/** The contenders by the names under which they are printed. */
export type Contenders = Readonly<Record<string, () => Promise<Measured>>>;

/** Few rounds are enough: a median of three already leaves out a round that something disturbed. */
export const ROUNDS = 3;

/**
 * Measures the contenders in turns, so that a slower machine slows all of them, and prints the medians.
 * @returns the median time of each, in milliseconds.
 */
export async function compare(
  title: string,
  rows: number,
  reference: string,
  contenders: Contenders,
): Promise<ReadonlyMap<string, number>> {
  const names = Object.keys(contenders);
  const results = new Map<string, Measured[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      // Pending writes of the round before must not slow this one.
      spawnSync('sync');
      const measured = await contenders[name]?.();
      if (measured !== undefined) results.get(name)?.push(measured);
    }
  }
  console.log(`\n${title}: ${rows.toLocaleString('en')} rows, medians of ${ROUNDS} rounds in turns`);
  const medians = new Map(
    [...results].map(([name, measured]) => [name, median(measured.map(({ ms }) => ms))]),
  );
  const referenceMs = medians.get(reference) ?? Number.NaN;
  const width = Math.max(...names.map((name) => name.length));
  for (const [name, measured] of results) {
    const ms = medians.get(name) ?? Number.NaN;
    const cpuMs = median(measured.map((one) => one.cpuMs));
    const peakMb = Math.max(...measured.map((one) => one.peakMb));
    const rate = Math.round((rows * 1000) / ms).toLocaleString('en');
    console.log(
      `${name.padEnd(width)} ${ms.toFixed(0).padStart(7)} ms  ${(ms / referenceMs).toFixed(2).padStart(6)} x ${reference}  ${rate.padStart(10)} rows/s  ${cpuMs > 0 ? `${cpuMs.toFixed(0)} ms of CPU` : ''}  ${peakMb > 0 ? `${peakMb.toFixed(0)} MB` : ''}`,
    );
  }
  return medians;
}

/** Runs a process to its end, which must be one of the exit codes expected; its memory and CPU time are looked at every 10 ms, and after seconds less often, where the system reports them. */
export function time(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  expected: readonly number[] = [0],
): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    let peakMb = 0;
    let cpuMs = 0;
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env },
    });
    // Sampling slows the process, by a fifth at every 10 ms.
    const look = () => {
      peakMb = Math.max(peakMb, residentPeakMb(child.pid));
      cpuMs = Math.max(cpuMs, computedMs(child.pid));
      watch = setTimeout(look, Math.max(10, msSince(started) / 200));
    };
    let watch = setTimeout(look, 10);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(watch);
      if (code !== null && expected.includes(code)) resolve({ ms: msSince(started), cpuMs, peakMb });
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

export function msSince(started: bigint): number {
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/**
 * The highest resident memory of a running process; 0 where the system doesn't say. Unlike `maxRSS` it leaves out the
 * parent's memory.
 */
export function residentPeakMb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** CPU time of a process so far, user and system; 0 where the system doesn't say. */
export function computedMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which is in brackets: the 12th and 13th are user and system time, in hundredths of a second.
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    return (user + system) * 10;
  } catch {
    return 0;
  }
}

/** The median; NaN for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The number of an option on the command line; else the default. */
export function option(name: string, usual: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}
