import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks the person at a terminal, line by line: no list to move in, so that it works on a terminal without cursor keys too. */
export interface Dialogue {
  /**
   * Shows a prompt and waits for a line, without its end and blanks around it. `ended`: nothing more will come;
   * `interrupted`: Ctrl-C.
   * @param isPath true: the tabulator completes a path.
   */
  line(prompt: string, isPath: boolean): Promise<{ readonly text: string } | 'ended' | 'interrupted'>;
  /**
   * The same for a line that nobody is to see, with the blanks around it. `shown`: this terminal would show it, and nothing was
   * asked.
   */
  secret(prompt: string): Promise<{ readonly text: string } | 'ended' | 'interrupted' | 'shown'>;
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
  let isHidden = false;
  const output = hideable(stdout, () => isHidden);
  // A terminal that can't move its cursor edits its lines itself.
  const terminal = env.TERM !== 'dumb';
  // Without a history: a password would be in it.
  const lines = createInterface({ input: stdin, output, terminal, completer, historySize: 0 });
  const typed: string[] = [];
  let end: 'ended' | 'interrupted' | null = null;
  let wake = () => {};
  lines.on('line', (line) => {
    typed.push(line);
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
  const asked = async (prompt: string) => {
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
  };
  return {
    async line(prompt, isPath) {
      completesPaths = isPath;
      const line = await asked(prompt);
      return typeof line === 'string' ? line : { text: line.text.trim() };
    },
    async secret(prompt) {
      if (!terminal) return 'shown';
      completesPaths = false;
      stdout.write(prompt);
      isHidden = true;
      const line = await asked('');
      isHidden = false;
      // The end of the line that was typed was hidden too.
      if (typeof line !== 'string') stdout.write('\n');
      return line;
    },
    close: () => lines.close(),
  };
}

/** The terminal, which shows nothing of what is written to it while it is hidden. */
function hideable(stdout: NodeJS.WriteStream, isHidden: () => boolean): Writable {
  const output = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      if (!isHidden()) stdout.write(text);
      done();
    },
  });
  // Lines are broken and drawn by it.
  Object.defineProperty(output, 'columns', { get: () => stdout.columns });
  stdout.on('resize', () => output.emit('resize'));
  return output;
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
