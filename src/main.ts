#!/usr/bin/env node
import type { Interrupt } from './cli/command.js';
import { type Io, processIo } from './cli/io.js';
import { runCommandLine } from './cli/run-command-line.js';
import { type ExitName, exitCode, worstExit } from './domain/operator-error.js';

// Whatever this process creates holds learners' data: files are 0600, folders 0700.
process.umask(0o077);

const STOPPING =
  'Stopping: finishing the requests under way; the other rows wait. A second signal stops immediately.';

/** How the process should end, from all who had something to say about it. */
const exits: ExitName[] = [];

// A reader that went away (`registrar report | head`) is no error; a full disk behind stdout is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') exits.push('io');
  process.exit(exitCode(worstExit(exits)));
});

process.exitCode = await main(process.argv, processIo());

/** Runs one command line to its end, heeding signals; the number is the process's exit code. */
async function main(argv: readonly string[], io: Io): Promise<number> {
  const stop = new AbortController();
  let isHeeded = false;
  const interrupt = {
    get signal() {
      isHeeded = true;
      return stop.signal;
    },
    // On a terminal SIGHUP says that the terminal is closed.
    onReload(listener: () => void) {
      if (!process.stdin.isTTY) process.on('SIGHUP', listener);
    },
    logTo(logger: Parameters<Interrupt['logTo']>[0]) {
      announceStop = () => logger.info(STOPPING);
      // Node's own listener prints plain text.
      process.removeAllListeners('warning');
      process.on('warning', ({ name, message }) => logger.warn({ name }, message));
    },
  };
  let announceStop = () => io.err(`\n${STOPPING}\n`);
  let received: 'interrupted' | 'terminated' | null = null;
  const stopOn = (signal: NodeJS.Signals, name: 'interrupted' | 'terminated') =>
    process.on(signal, () => {
      // A second one doesn't wait for answers, and most commands have none under way; the ledger is consistent.
      if (received || !isHeeded) process.exit(exitCode(name));
      received = name;
      // First, so that a bar is off the screen before the sentence is written there.
      stop.abort();
      announceStop();
    });
  stopOn('SIGINT', 'interrupted');
  stopOn('SIGTERM', 'terminated');

  const exit = await runCommandLine(argv, io, interrupt, exits);
  return exitCode(exit === 'interrupted' && received ? received : exit);
}
