import { onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { exitCode } from '../../src/domain/operator-error.js';
import { visibleLines } from '../../src/domain/text/visible-text.js';

/** How a command line ended. */
export interface CliResult {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command line is given within this process. */
interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

/** A command line that is still running within this process. */
export interface LastingLine {
  readonly ended: Promise<CliResult>;
  /** What the first SIGTERM does in a program, whose exit code says so too: this one's is 130. */
  stop(): void;
  /** What SIGHUP does in a program. */
  reload(): void;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
}

/**
 * Runs one command line to its end within this process, as `main` would with nothing of a terminal: no program is
 * started, which takes a quarter of a second each. What is about the process itself (signals, its end, its threads,
 * variables that it reads as it starts) needs `startCli`.
 */
export function commandLine(args: readonly string[], where: Where): Promise<CliResult> {
  return lastingLine(args, where).ended;
}

/** Begins a command line within this process and leaves it running; what needs `startCli` is said above. */
export function lastingLine(args: readonly string[], where: Where): LastingLine {
  refuseVariables(where.env ?? {});
  let stdout = '';
  let stderr = '';
  const tell = (text: string) => {
    stderr += text;
  };
  const io: Io = {
    out: (text) => {
      stdout += visibleLines(text);
    },
    err: (text) => tell(visibleLines(text)),
    log: tell,
    input: () => where.input ?? '',
    isTerminal: false,
    env: { ...programEnv(), ...where.env },
    cwd: where.cwd,
  };
  begin(tell);
  const stop = new AbortController();
  let reload = () => {};
  const ending = runCommandLine(['node', 'registrar', ...args], io, {
    signal: stop.signal,
    onReload: (listener) => {
      reload = listener;
    },
    logTo: () => {},
  });
  // Whatever a failed test has left running must not outlive its workspace.
  onTestFinished(async () => {
    stop.abort();
    await ending;
  });
  const ended = ending.then((exit) => {
    end(tell);
    return { code: exitCode(exit), stdout, stderr };
  });
  return {
    ended,
    stop: () => stop.abort(),
    reload: () => reload(),
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

/** Where each command line that is running writes its output. */
const running = new Set<(text: string) => void>();

let umaskBefore = 0;

/** Files that other code makes during a command are private to their owner too: a process has one umask. */
function begin(tell: (text: string) => void): void {
  if (running.size === 0) umaskBefore = process.umask(0o077);
  running.add(tell);
}

function end(tell: (text: string) => void): void {
  running.delete(tell);
  if (running.size === 0) process.umask(umaskBefore);
}

// A program's stderr would have them too.
process.on('warning', ({ name, message }) => {
  for (const tell of running) tell(`(node) ${name}: ${message}\n`);
});

/** The part of the test's environment that a program needs to run. */
export function programEnv(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, NO_COLOR: '1', ...(TMPDIR ? { TMPDIR } : {}) };
}

/** Variables that a process reads from its own environment would have no effect here. */
function refuseVariables(env: Readonly<Record<string, string>>): void {
  const name = Object.keys(env).find((variable) => OF_THE_PROCESS.test(variable));
  if (name !== undefined) throw new Error(`${name} is heeded by a process alone: start one with startWith`);
}

const OF_THE_PROCESS = /^(NODE_|TZ$|REGISTRAR_FAILPOINT|SQL_)|_PROXY$/i;
