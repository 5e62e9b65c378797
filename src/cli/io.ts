import { visibleLines } from '../domain/text/visible-text.js';
import type { Prompts } from './prompts.js';
import { columnsOf, fitText, paint, type Screen, wantsColour } from './screen.js';

/** The streams and the environment of a command. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Writes a line of the log, which has its line end; absent: the line goes to the process's stderr at once. */
  readonly log?: (line: string) => void;
  /** The terminal behind stdout; absent for a file, a pipe or a mail from cron. */
  readonly screen?: Screen | undefined;
  /** Reads standard input to its end; absent: the process's own. */
  readonly input?: () => string;
  /** Absent without an interactive terminal. @param hint what to do where the dialogue ends early. */
  readonly prompts?: ((hint: string) => Promise<Prompts>) | undefined;
  /** True when stderr is a terminal: progress may be drawn there. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export function processIo(): Io {
  const { stdout, stderr } = process;
  const coloured = (text: string) => (wantsColour(process.env) ? paint(text) : text);
  const shown = (text: string, columns: number) => coloured(fitText(visibleLines(text), columns));
  const screen: Screen = {
    columns: () => columnsOf(stdout),
    show: (text) => void stdout.write(shown(text, columnsOf(stdout))),
  };
  return {
    out: (text) => void stdout.write(visibleLines(text)),
    err: (text) => void stderr.write(stderr.isTTY ? shown(text, columnsOf(stderr)) : visibleLines(text)),
    screen: stdout.isTTY ? screen : undefined,
    prompts: hasPerson(process) ? prompts : undefined,
    isTerminal: stderr.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
  };
}

/** Only questions need the code for it. */
async function prompts(hint: string): Promise<Prompts> {
  const { openPrompts } = await import('./prompts.js');
  return openPrompts(hint);
}

/** True where a person sees the prompts, and can answer. */
function hasPerson({ stdin, stdout, env }: NodeJS.Process): boolean {
  const isBuild = !['', 'false', '0'].includes(env.CI ?? '');
  return stdin.isTTY === true && stdout.isTTY === true && !isBuild && env.TERM !== 'dumb';
}

/** Writes a text for people to stdout; on a terminal it is wrapped to fit. */
export function show(io: Io, text: string): void {
  if (io.screen) io.screen.show(text);
  else io.out(text);
}

/** The workspace to name in commands; null where they are given in its folder. */
export function workspaceToName({ cwd }: Pick<Io, 'cwd'>, root: string): string | null {
  return root === cwd ? null : root;
}
