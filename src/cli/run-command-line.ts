import { CommanderError } from 'commander';
import { type ExitName, worstExit } from '../domain/operator-error.js';
import type { Interrupt } from './command.js';
import { describeFailure } from './describe-failure.js';
import type { Io } from './io.js';
import { createProgram, type RunCommand } from './program.js';

/**
 * Runs one command line to its end, prints its output, and returns how the process should end. It never throws and changes
 * nothing in the process, so that several command lines may run in one process, one after the other.
 * @param argv as in process.argv: the program's arguments begin at the third.
 * @param exits what is known so far about how the process should end; the command adds to it as soon as it knows.
 */
export async function runCommandLine(
  argv: readonly string[],
  io: Io,
  interrupt: Interrupt,
  exits: ExitName[] = [],
): Promise<ExitName> {
  let reportFailure = (text: string) => io.err(`registrar: ${text}\n`);
  try {
    const finish = (exit: ExitName) => void exits.push(exit);
    const carry = async (...[command, inputs, options]: Parameters<RunCommand>) => {
      // Help and the version don't need the code that carries commands out.
      const { carryOut } = await import('./carry-out.js');
      let spoken = io;
      if (command.isLogged && !io.isTerminal) {
        const { createLogger } = await import('./logger.js');
        const logger = createLogger(io, options, 'info');
        interrupt.logTo(logger);
        reportFailure = (text) => logger.error(text);
        spoken = { ...io, err: (text) => logger.warn(text.trimEnd()) };
      }
      await carryOut(command, inputs, options, { io: spoken, interrupt, finish });
    };
    const program = createProgram(io, carry);
    await program.parseAsync(argv as string[]);
  } catch (error) {
    // A request for help is no mistake.
    if (error instanceof CommanderError && error.exitCode === 0) return 'done';
    const failure = describeFailure(error);
    // Commander has printed its reason already.
    if (!(error instanceof CommanderError)) reportFailure(failure.text);
    if (argv.includes('--json')) io.out(`${JSON.stringify({ error: failure.document }, null, 2)}\n`);
    exits.push(failure.exit);
  }
  return worstExit(exits);
}
