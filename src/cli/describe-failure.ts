import { CommanderError } from 'commander';
import type { Finished } from '../actions/decision/finish.js';
import { ConfigError } from '../config/config-error.js';
import { type ExitName, OperatorError, withHint } from '../domain/operator-error.js';
import { ioHint } from '../domain/process/io-hints.js';
import { visibleText } from '../domain/text/visible-text.js';

/** A failure in words, as JSON, and as the way the process ends. */
export interface Failure {
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly exit: ExitName;
}

/** Distinguishes a failure that an operator can solve from a bug; a bug keeps its stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof OperatorError) {
    const { operation, subject, message, hint, exit } = error;
    // Several mistakes are a list of their own.
    const mistakes = error instanceof ConfigError ? error.mistakes : [message];
    const lead = mistakes.length > 1 ? `can't ${operation}:\n` : '';
    const lines = mistakes.map(visibleText).join('\n');
    return {
      text: lead + withHint(lines, hint),
      document: { operation, subject, message, hint, exit },
      exit,
    };
  }
  if (error instanceof CommanderError) return describeUsage(error);
  const { code, message, stack } = error as { code?: unknown; message?: string; stack?: string };
  const hint = ioHint(error);
  if (hint !== null) {
    return {
      // The hint says as much as SQLite, and where.
      text: /^SQLITE_FULL/.test(String(code))
        ? visibleText(hint)
        : `${visibleText(String(message))}. ${hint}`,
      document: { operation: 'read or write', subject: String(code), message, hint, exit: 'io' },
      exit: 'io',
    };
  }
  return {
    text: `a bug in Registrar: ${bounded(stack ?? String(error))}`,
    document: {
      operation: 'run',
      subject: '',
      message: String(message),
      hint: 'Report it.',
      exit: 'bug',
    },
    exit: 'bug',
  };
}

/** The beginning of a stack: a message may hold a whole file, and a bug is recognised by how it begins and where. */
function bounded(stack: string): string {
  const lines = stack.split('\n', MAX_LINES).map((line) => line.slice(0, LONGEST_LINE));
  return lines.join('\n');
}

const MAX_LINES = 40;
const LONGEST_LINE = 300;

/** Commander's complaint without its "error: "; where no command was given, commander has only shown the help. */
function describeUsage({ code, message }: CommanderError): Failure {
  const text = code === 'commander.help' ? 'no command was given' : message.replace(/^error: /, '');
  return {
    text,
    document: {
      operation: 'read the command line',
      subject: '',
      message: text,
      hint: 'See registrar --help.',
      exit: 'usage',
    },
    exit: 'usage',
  };
}

/** A trouble that a command has met beside its work, as a line: what it is, and what to do. */
export function troubleText({ message, hint }: Pick<OperatorError, 'message' | 'hint'>): string {
  return `${visibleText(message)}. ${visibleText(hint)}\n`;
}

/** Says that an interrupted decision was carried out, and what a person must still do about it. */
export function finishedText({ decisionId, kind, who, trouble }: Finished): string {
  if (trouble !== null) return troubleText(trouble);
  const text = `Decision ${decisionId}, ${kind} of ${who}, had been broken off, and is carried out now.`;
  return `${visibleText(text)}\n`;
}
