import { styleText } from 'node:util';
import { wordsWithin } from '../report/text/layout.js';

export interface Screen {
  columns(): number;
  /** Shows a text without line breaks within words, and with colours where the terminal has them. */
  show(text: string): void;
}

const DEFAULT_COLUMNS = 80;

export function columnsOf(stream: { readonly columns?: number | undefined }): number {
  return stream.columns || DEFAULT_COLUMNS;
}

/** True where colours are wanted: not with NO_COLOR (no-color.org), nor on a terminal that has none. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** A command with its options, in a sentence or alone, which people copy. */
const COMMAND =
  /\bregistrar [a-z]+(?: (?:--?[\w-]+|"[^"]*"|'[^']*'|(?<=--[\w-]+ )[^\s-]\S*[^\s.;:,)]|[A-Z]+\b|\d+\b))*/g;

/** Breaks long lines between words, but never within a command: the terminal itself would cut them anywhere. */
export function fitText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (line.length <= columns ? line : fitLine(line, columns)))
    .join('\n');
}

function fitLine(line: string, columns: number): string {
  const lead = /^ */.exec(line)?.[0] ?? '';
  const whole = line.slice(lead.length).replace(COMMAND, (command) => command.replaceAll(' ', GLUE));
  const lines = wordsWithin(whole, columns - lead.length - '  '.length);
  return lines
    .map((text, index) => `${lead}${index === 0 ? '' : '  '}${text}`)
    .join('\n')
    .replaceAll(GLUE, ' ');
}

/** Replaces a blank at which no line is broken; no text that is shown has control characters. */
const GLUE = '\u0000';

type Style = Parameters<typeof styleText>[0];

const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^The books don’t balance.*$/gm, 'red'],
  [/^The books balance\. .*Nothing needs attention\.$/gm, 'green'],
  [/^Nothing needs attention\.$/gm, 'green'],
  [/^The books balance\. .*$/gm, 'yellow'],
  [/^ok(?= {2})/gm, 'green'],
  [/^attention(?= {2})/gm, 'yellow'],
  [/^broken(?= {2})/gm, 'red'],
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
