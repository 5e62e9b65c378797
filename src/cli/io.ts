/** Where a command writes and what it may know of its surroundings. */
export interface Io {
  /** What was asked for: stdout. */
  out(text: string): void;
  /** Everything else people read: stderr. */
  err(text: string): void;
  /** True when stderr is a terminal: progress may be drawn there. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The process's own streams. */
export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(printable(text)),
    err: (text) => void process.stderr.write(printable(text)),
    isTerminal: process.stderr.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
  };
}

/** File names and cells may hold control characters; a terminal must not carry them out. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}

/** Options that every command has. */
export interface CommonOptions {
  readonly workspace?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Prints a command's result: one JSON document, or the text for people. */
export function print(io: Io, options: CommonOptions, document: () => unknown, text: () => string): void {
  if (options.json) io.out(`${JSON.stringify(document(), null, 2)}\n`);
  else if (!options.quiet) io.out(text());
}
