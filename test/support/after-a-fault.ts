import type { CliResult } from './command-line.js';
import { type CrashBench, departures, type Undisturbed, undisturbed } from './crash-bench.js';

/** Runs again, and lists the differences from an undisturbed run. */
export async function goesOn(
  bench: CrashBench,
  allowed: { readonly repeats: boolean; readonly arrivals: boolean } = { repeats: true, arrivals: false },
): Promise<string[]> {
  const exit = hasTold(bench) ? 0 : 1;
  const next = await bench.cli('run', '--json');
  const found = bench.outcome();
  const { outcome } = await usualRun();
  const arrivals = allowed.arrivals ? outcome.arrivals : found.arrivals;
  return [
    ...(next.code === exit ? [] : [`the next run: ${endingText(next)}`]),
    ...(await bench.breaches(allowed)),
    ...departures({ ...found, arrivals }, outcome),
  ];
}

/** What needs attention is notified once: by the run that came to its end, or by the one that answers for it. */
function hasTold({ query }: CrashBench): boolean {
  try {
    return query("select run_id from run where ending = 'attention'").length > 0;
  } catch {
    // The ledger has no tables yet.
    return false;
  }
}

/** What is wrong with the program's report of a fault of the disk: it takes exit code 74, one sentence and no stack. */
export function wrongFailure({ code, stderr }: CliResult, sentence: string): string[] {
  const sentences = stderr.split('\n').filter((line) => line.startsWith('registrar: '));
  const isRight =
    code === 74 && sentences.length === 1 && stderr.includes(sentence) && !/\n +at /.test(stderr);
  return isRight ? [] : [endingText({ code, stderr })];
}

/** How a command line ended, in words. */
export function endingText({ code, stderr }: Pick<CliResult, 'code' | 'stderr'>): string {
  return `it ended with ${code}, saying ${JSON.stringify(stderr)}`;
}

let usual: Promise<Undisturbed> | null = null;

/** The undisturbed run that others are compared with, made once for a test file. */
export function usualRun(): Promise<Undisturbed> {
  usual ??= undisturbed();
  return usual;
}
