import { styleText } from 'node:util';

/** The terminal that people read a command's result on. */
export interface Screen {
  /** How many characters a line has; may change between two calls. */
  columns(): number;
  /** Shows a text: no line breaks within a word, and colours where the terminal takes them. */
  show(text: string): void;
}

/** What a terminal has that doesn't say how wide it is. */
const USUAL_COLUMNS = 80;

/** The width of a stream's terminal. */
export function columnsOf(stream: { readonly columns?: number | undefined }): number {
  return stream.columns || USUAL_COLUMNS;
}

/** True where colours are wanted: not with NO_COLOR (no-color.org), nor on a terminal that has none. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** A command with its options, in a sentence or alone; it is there to be copied. */
const COMMAND =
  /\bregistrar [a-z]+(?: (?:--?[\w-]+|"[^"]*"|'[^']*'|(?<=--[\w-]+ )[^\s-]\S*[^\s.;:,)]|[A-Z]+\b|\d+\b))*/g;

/**
 * Breaks lines that are longer than the terminal between words, and never within a command: what the terminal wraps by
 * itself is cut anywhere. What follows stands two further in.
 */
export function fitText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (line.length <= columns ? line : fitLine(line, columns)))
    .join('\n');
}

function fitLine(line: string, columns: number): string {
  const lead = /^ */.exec(line)?.[0] ?? '';
  const whole = line.slice(lead.length).replace(COMMAND, (command) => command.replaceAll(' ', GLUE));
  const lines: string[] = [];
  for (const word of whole.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${lead}${last === undefined ? '' : '  '}${word}`);
  }
  return lines.join('\n').replaceAll(GLUE, ' ');
}

/** Stands for a blank that is no place to break; no text that is shown has control characters. */
const GLUE = '\u0000';

type Style = Parameters<typeof styleText>[0];

/** What is coloured, in this order: what a line says as a whole, states and verdicts in columns, commands. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^(?:The books don't balance|NOT BALANCED:).*$/gm, 'red'],
  [/^The books balance: .*nothing needs attention\.$/gm, 'green'],
  [/^Nothing needs a person\.$/gm, 'green'],
  [/^The books balance: .*$/gm, 'yellow'],
  [/^ok(?= {2})/gm, 'green'],
  [/^attention(?= {2})/gm, 'yellow'],
  [/^broken(?= {2})/gm, 'red'],
  [
    /(?<=^| {2}|^ *\d+ )(?:rejected|failed|invalid|in-doubt|unavailable|error|died)(?= {2}|$| \S+: )/gm,
    'red',
  ],
  [/(?<=^| {2}|^ *\d+ )(?:held|waiting|attention|interrupted)(?= {2}|$| \S+: )/gm, 'yellow'],
  [/(?<=^| {2})(?:accepted|done)(?= {2}|$)/gm, 'green'],
  [/^registrar:/gm, 'red'],
  [COMMAND, 'cyan'],
];

/** The text with colours. It must have no control characters: colours are all that may reach the terminal. */
export function paint(text: string): string {
  return STYLES.reduce(
    (painted, [pattern, style]) =>
      painted.replace(pattern, (part) => styleText(style, part, { validateStream: false })),
    text,
  );
}
