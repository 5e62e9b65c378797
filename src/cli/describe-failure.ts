import { CommanderError } from 'commander';
import type { Finished } from '../actions/decision/finish.js';
import type { Finding } from '../actions/doctor/finding.js';
import { ConfigError } from '../config/config-error.js';
import { OperatorError, withHint } from '../domain/operator-error.js';
import { ioHint } from '../domain/process/io-hints.js';
import { visibleStrings, visibleText } from '../domain/text/visible-text.js';

/** Distinguishes a failure that an operator can solve from a bug; a bug keeps its stack. */
export function describeFailure(error: unknown) {
  if (error instanceof OperatorError) {
    const { operation, subject, message, hint, exit } = error;
    // Several mistakes are a list of their own.
    const mistakes = error instanceof ConfigError ? error.mistakes : [message];
    const lead = mistakes.length > 1 ? `can't ${operation}:\n` : '';
    const lines = mistakes.map(visibleText).join('\n');
    return failure({ operation, subject, message, hint, exit }, lead + withHint(lines, hint));
  }
  if (error instanceof CommanderError) {
    // Where no command was given, commander has only shown the help.
    const isHelp = error.code === 'commander.help';
    const message = isHelp ? 'no command was given' : error.message.replace(/^error: /, '');
    const usage = { operation: 'read the command line', subject: '', hint: 'See registrar --help.' };
    return failure({ ...usage, message, exit: 'usage' }, message);
  }
  const { code, message, stack } = error as { code?: unknown; message?: string; stack?: string };
  const hint = ioHint(error);
  if (hint === null) {
    const bug = { operation: 'run', subject: '', message: String(message), hint: 'Report it.' };
    return failure(
      { ...bug, exit: 'bug' },
      `a bug in Registrar: ${(stack ?? String(error)).slice(0, MAX_STACK_CHARS)}`,
    );
  }
  const fault = { operation: 'read or write', subject: String(code), message: String(message), hint };
  // The hint says as much as SQLite, and where.
  const isFull = /^SQLITE_FULL/.test(String(code));
  return failure(
    { ...fault, exit: 'io' },
    isFull ? visibleText(hint) : `${visibleText(String(message))}. ${hint}`,
  );
}

function failure(
  document: Pick<OperatorError, 'operation' | 'subject' | 'message' | 'hint' | 'exit'>,
  text: string,
) {
  return { text, document, exit: document.exit };
}

/** A message may hold a whole file. */
const MAX_STACK_CHARS = 4_000;

/** A trouble that a command has met beside its work, as a line: what it is, and what to do. */
export function troubleText({ message, hint }: Pick<OperatorError, 'message' | 'hint'>): string {
  return `${visibleText(message)}. ${visibleText(hint)}\n`;
}

/** Says that an interrupted decision was carried out, and what a person must still do about it. */
export function finishedText({ decisionId, kind, who, trouble }: Finished): string {
  if (trouble !== null) return troubleText(trouble);
  const text = `Decision ${decisionId}, ${kind} of ${who}, was interrupted, and is resumed now.`;
  return `${visibleText(text)}\n`;
}

export function findingLine(finding: Finding): string {
  const { verdict, check, subject, message, remedy } = visibleStrings(finding);
  const lead = `${verdict.padEnd('attention'.length)}  ${check.padEnd('configuration'.length)}`;
  return `${lead}  ${subject}: ${withHint(message, remedy)}\n`;
}
