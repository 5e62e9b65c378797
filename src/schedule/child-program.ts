import { execFile } from 'node:child_process';

/** How a command in a separate process ended. */
export interface ChildResult {
  /** null: a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; null: none did. */
  readonly signal: NodeJS.Signals | null;
  /** The document that it printed; null: none. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** The end of its stderr. */
  readonly stderr: string;
}

/** More of it is too long for a message. */
const MAX_STDERR = 2_000;

/** Runs a command of this program with `--json` in its own process, so that it delays no delivery. @param stop ends it. */
export function childProgram(args: readonly string[], stop: AbortSignal): Promise<ChildResult> {
  const [, program = ''] = process.argv;
  const command = [...process.execArgv, program, ...args, '--json'];
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, command, { maxBuffer: Infinity }, (error, stdout, stderr) => {
      stop.removeEventListener('abort', end);
      const { pid, exitCode: code, signalCode: signal } = child;
      if (pid === undefined) reject(error);
      else resolve({ code, signal, document: documentIn(stdout), stderr: stderr.slice(-MAX_STDERR).trim() });
    });
    const end = () => void child.kill();
    if (stop.aborted) end();
    stop.addEventListener('abort', end, { once: true });
  });
}

function documentIn(text: string): ChildResult['document'] {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
