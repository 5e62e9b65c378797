#!/usr/bin/env node
import { CommanderError } from 'commander';
import { describeFailure } from './cli/describe-failure.js';
import { type Io, processIo } from './cli/io.js';
import { createProgram } from './cli/program.js';
import { type ExitName, exitCode, worstExit } from './domain/operator-error.js';

// Whatever this process creates holds learners' data: files are 0600, folders 0700.
process.umask(0o077);

/** How the process should end, from all who had something to say about it. */
const exits: ExitName[] = [];

// A reader that went away (`registrar report | head`) is no error; a full disk behind stdout is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') exits.push('io');
  process.exit(exitCode(worstExit(exits)));
});

process.exitCode = await main(process.argv, processIo());

/** Runs one command line to its end; the number is the process's exit code. */
async function main(argv: readonly string[], io: Io): Promise<number> {
  const stop = new AbortController();
  let isHeeded = false;
  const interrupt = {
    get signal() {
      isHeeded = true;
      return stop.signal;
    },
  };
  let received: 'interrupted' | 'terminated' | null = null;
  const stopOn = (signal: NodeJS.Signals, name: 'interrupted' | 'terminated') =>
    process.on(signal, () => {
      // A second one doesn't wait for answers, and most commands have none under way; the ledger is consistent.
      if (received || !isHeeded) process.exit(exitCode(name));
      received = name;
      // First, so that a bar is off the screen before the sentence is written there.
      stop.abort();
      io.err('\nStopping: what is under way is finished, the rest waits. Once more to stop at once.\n');
    });
  stopOn('SIGINT', 'interrupted');
  stopOn('SIGTERM', 'terminated');

  try {
    const program = await createProgram(io, interrupt, (exit) => exits.push(exit), argv[2]);
    await program.parseAsync(argv as string[]);
  } catch (error) {
    // Asking for help is no mistake.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = describeFailure(error);
    // Commander has printed its reason already.
    if (!(error instanceof CommanderError)) io.err(`registrar: ${failure.text}\n`);
    if (argv.includes('--json')) io.out(`${JSON.stringify({ error: failure.document }, null, 2)}\n`);
    exits.push(failure.exit);
  }
  const exit = worstExit(exits);
  return exitCode(exit === 'interrupted' && received ? received : exit);
}
