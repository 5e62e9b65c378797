import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { programEnv } from './command-line.js';

const PROGRAM = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

const PATIENCE_MS = 240_000;

/** How a program on a terminal ended, and all that the terminal showed, without carriage returns, colours and moves of the cursor. */
export interface Shown {
  readonly code: number | null;
  readonly screen: string;
}

/**
 * Runs the program on a terminal of its own of 80 columns and 24 lines, a pseudo terminal of script(1), and types each reply
 * once the screen shows, behind what was there before, the text it belongs to, however its lines are broken. A reply is sent as it is: `\r` ends a line.
 */
export async function onTerminal(
  args: readonly string[],
  where: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  replies: readonly (readonly [prompt: string, reply: string])[],
): Promise<Shown> {
  const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['-qec', `stty cols 80 rows 24; exec ${words.join(' ')}`, '/dev/null'], {
    cwd: where.cwd,
    env: { ...programEnv(), TERM: 'xterm-256color', SHELL: '/bin/sh', ...where.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const open = [...replies];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
    for (;;) {
      const [prompt, reply] = open[0] ?? [null, ''];
      const found = prompt === null ? null : brokenAnywhere(prompt).exec(screen.slice(seen));
      if (found === null) return;
      seen += found.index + found[0].length;
      open.shift();
      child.stdin.write(reply);
    }
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
    // A test whose prompt never comes would wait for ever.
    setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref();
  });
  if (open.length > 0) throw new Error(`the terminal never showed "${open[0]?.[0]}":\n${screen}`);
  return { code, screen: screen.replaceAll('\r', '') };
}

function brokenAnywhere(text: string): RegExp {
  const words = text.split(/(\s+)/).map((part) => (part.trim() === '' ? part && '\\s+' : literally(part)));
  return new RegExp(words.join(''));
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
