import { spawn } from 'node:child_process';

/** How a command ended that ran as a process of its own. */
export interface ChildResult {
  /** null: a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it; null: none did. */
  readonly signal: NodeJS.Signals | null;
  /** The document that it printed; null: none. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** The end of what it said on stderr. */
  readonly said: string;
}

/** More of stderr is no message any more. */
const MAX_SAID = 2_000;

/**
 * Runs a command of this same program in a process of its own, with `--json`: long reads and writes there delay no delivery
 * here, and its memory is freed. @param stop ends it.
 */
export function childProgram(args: readonly string[], stop: AbortSignal): Promise<ChildResult> {
  const [, program = ''] = process.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, program, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-MAX_SAID);
    });
    const end = () => void child.kill('SIGTERM');
    if (stop.aborted) end();
    stop.addEventListener('abort', end, { once: true });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop.removeEventListener('abort', end);
      resolve({ code, signal, document: documentIn(Buffer.concat(out).toString()), said: stderr.trim() });
    });
  });
}

function documentIn(text: string): ChildResult['document'] {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
