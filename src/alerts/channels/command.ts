import { spawn } from 'node:child_process';
import { type AlertMessage, documentOf } from '../message.js';
import { ChannelError } from './channel-error.js';
import { type TimeLimit, withTimeout } from './with-timeout.js';

/** What a command is given of the environment: the secrets of the platform aren't among it. */
const KEPT = /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|SystemRoot)$/;

/** Starts a program without a shell and gives it the message on stdin. At its limit it is killed with all that it has started. */
export async function sendByCommand(
  [program = '', ...args]: readonly string[],
  root: string,
  message: AlertMessage,
  limit: TimeLimit,
): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)));
  await withTimeout(limit, (over) => {
    const child = spawn(program, args, {
      cwd: root,
      env,
      // A group of its own, so that it ends as a whole.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    over.addEventListener('abort', () => endGroup(child.pid), { once: true });
    // It needn't read its input to be content.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(documentOf(message))}\n`);
    return new Promise<void>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(new ChannelError(`could not be started (${error.code ?? error.name})`)),
      );
      child.on('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new ChannelError(signal === null ? `ended with ${code}` : `was ended by ${signal}`));
      });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}
