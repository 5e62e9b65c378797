import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** Asks the person at a terminal, line by line: no list to move in, so that it works on a terminal without cursor keys too. */
export interface Dialogue {
  /**
   * Shows a prompt and waits for a line, without its end and blanks around it. `ended`: nothing more will come;
   * `interrupted`: Ctrl-C.
   * @param isPath true: the tabulator completes a path.
   */
  line(prompt: string, isPath: boolean): Promise<{ readonly text: string } | 'ended' | 'interrupted'>;
  /** Gives the terminal back. */
  close(): void;
}

/** Opens a dialogue on the process's own terminal. Lines that are typed before they are asked for are kept. */
export function openDialogue(
  { stdin, stdout }: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream },
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): Dialogue {
  let completesPaths = false;
  const completer = (line: string): [string[], string] =>
    completesPaths ? [pathsLike(line, cwd, env.HOME), line] : [[], line];
  // A terminal that can't move its cursor edits its lines itself.
  const lines = createInterface({ input: stdin, output: stdout, terminal: env.TERM !== 'dumb', completer });
  const typed: string[] = [];
  let end: 'ended' | 'interrupted' | null = null;
  let wake = () => {};
  lines.on('line', (line) => {
    typed.push(line.trim());
    wake();
  });
  let isAsking = false;
  lines.on('SIGINT', () => {
    end = 'interrupted';
    lines.close();
  });
  lines.on('close', () => {
    end ??= 'ended';
    // What is said next begins a line of its own.
    if (isAsking) stdout.write('\n');
    wake();
  });
  return {
    async line(prompt, isPath) {
      completesPaths = isPath;
      if (end === null) {
        lines.setPrompt(prompt);
        lines.prompt();
      }
      isAsking = true;
      while (typed.length === 0 && end === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isAsking = false;
      const text = typed.shift();
      return text === undefined ? (end ?? 'ended') : { text };
    },
    close: () => lines.close(),
  };
}

/** The files and folders that a path may go on with; [] where none can be listed. */
function pathsLike(line: string, cwd: string, home = ''): string[] {
  const folder = line.endsWith('/') ? line : join(dirname(line), '/');
  const begun = line.endsWith('/') ? '' : basename(line);
  const lead = line.slice(0, line.length - begun.length);
  try {
    const path = folder.replace(/^~(?=\/)/, () => home);
    const entries = readdirSync(path.startsWith('/') ? path : join(cwd, path), { withFileTypes: true });
    return entries
      .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')))
      .map((entry) => `${lead}${entry.name}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    return [];
  }
}
