import type { Document, ErrorCode, LineCounter, YAMLError } from 'yaml';

/** A fault of the notation, described without any of the file's values: they may be secrets. */
export interface SyntaxMistake {
  readonly line: number;
  readonly text: string;
}

interface SyntaxReport {
  /** At most one mistake for a line: the first is the cause, the others follow from it. */
  readonly mistakes: readonly SyntaxMistake[];
  /** False when the structure around the faults can't be trusted. */
  readonly readable: boolean;
}

/** Faults that spoil one value and leave the structure around it clear. */
const LOCAL: readonly ErrorCode[] = ['BAD_SCALAR_START', 'BAD_ALIAS', 'BAD_DQ_ESCAPE', 'TAG_RESOLVE_FAILED'];

const INDENTATION =
  'the indentation does not fit the lines above, or a bracket above is not closed; lines that belong together begin in the same column';

const PLAIN_WORDS: Partial<Record<ErrorCode, string>> = {
  BAD_SCALAR_START: 'a value cannot begin with this character; put it in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins a character that does not exist; use single quotes',
  BAD_INDENT: INDENTATION,
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a second ": ", or the indentation is wrong; put the value in quotes',
  BLOCK_IN_FLOW: 'a bracket above is not closed',
  MISSING_CHAR: 'a bracket, a comma, or a quote that was opened on this line or above is missing',
  MULTILINE_IMPLICIT_KEY: 'a line without ":" where a key should be, or the indentation is wrong',
  MULTIPLE_DOCS: 'a second document begins; the file must be one',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  TAG_RESOLVE_FAILED: `a word that begins with ! is a tag and means nothing here; an environment variable is \${NAME}`,
};

const ALIAS = 'a value that begins with * must be in quotes, as in "*/15 * * * *"';

/** The parser's errors about the notation, in plain words. */
export function syntaxMistakes(document: Document.Parsed, text: string, lines: LineCounter): SyntaxReport {
  const byLine = new Map<number, string>();
  let readable = true;
  for (const fault of [...document.errors, ...document.warnings]) {
    const line = lines.linePos(Math.min(fault.pos[0], Math.max(0, text.length - 1))).line;
    const alias = fault.code === 'BAD_ALIAS' || fault.message.startsWith('Unexpected alias');
    if (!alias && !LOCAL.includes(fault.code)) readable = false;
    const words = alias ? ALIAS : wordsFor(fault, text.split('\n')[line - 1] ?? '');
    // A fault without words of its own is a consequence of an earlier one.
    if (byLine.has(line) || (words === null && byLine.size > 0)) continue;
    byLine.set(line, words ?? INDENTATION);
    // Whatever follows does, too.
    if (words?.includes('indentation') ?? true) break;
  }
  const mistakes = [...byLine].map(([line, text]) => ({ line, text }));
  return { mistakes: mistakes.sort((a, b) => a.line - b.line), readable };
}

function wordsFor({ code, message }: YAMLError, line: string): string | null {
  if (/[{[,].*:\s*\$\{/.test(line)) return `inside { } put \${NAME} in quotes`;
  return message.startsWith('Sequence item') ? INDENTATION : (PLAIN_WORDS[code] ?? null);
}
