import type { Remedy, RowsToTreat } from '../../domain/remedy.js';
import { visibleText } from '../../domain/text/visible-text.js';

/**
 * A remedy as a command that can be copied into a shell. Words in capitals are left for whoever gives it.
 * @param workspace the folder to name, where the command isn't given in it; null: it is.
 */
export function commandLine(remedy: Remedy, workspace: string | null = null): string {
  return ['registrar', ...wordsOf(remedy), ...workspaceOption(workspace)].join(' ');
}

/** The option that says which workspace a command means; none where it is given in that. */
function workspaceOption(workspace: string | null): string[] {
  return workspace === null ? [] : ['--workspace', shellWord(workspace)];
}

function wordsOf(remedy: Remedy): string[] {
  switch (remedy.action) {
    case 'run':
    case 'map':
      return [remedy.action];
    case 'doctor':
      return ['doctor', ...(remedy.deep ? ['--deep'] : [])];
    case 'rerun':
      return ['rerun', ...selectionWords(remedy.selection)];
    case 'dismiss': {
      const what = 'drop' in remedy ? ['--drop', String(remedy.drop)] : selectionWords(remedy.selection);
      return ['dismiss', ...what, '--because', 'TEXT'];
    }
    case 'restage':
      return ['restage', remedy.drop === null ? 'DROP' : String(remedy.drop)];
    case 'restore':
      return ['restore', '--finish', '--because', 'TEXT'];
  }
}

/** Rows that are named one by one need no state. */
function selectionWords({ states, cause, run, file, since, rows }: RowsToTreat): string[] {
  if (rows) return ['--row', ...rows.map(String)];
  return [
    '--state',
    states.join(','),
    ...(cause === undefined ? [] : ['--reason', shellWord(cause)]),
    ...(run === undefined ? [] : ['--run', String(run)]),
    ...(file === undefined ? [] : ['--file', shellWord(file)]),
    ...(since === undefined ? [] : ['--since', shellWord(since)]),
  ];
}

/**
 * The text as one word of a POSIX shell: in quotation marks where it would be taken for something else. One that begins
 * with a dash is in them too, although only the program it is given to could take it for an option: whoever reads the
 * command sees that it is a value. What doesn't show is written in numbers, so that it can be seen and copied.
 */
export function shellWord(text: string): string {
  if (visibleText(text) !== text) return `"$(printf -- '${printfFormat(text)}')"`;
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** For `printf`: a percent sign and a backslash twice, a quotation mark for the shell, the rest as octal bytes. */
function printfFormat(text: string): string {
  return Array.from(text, (character) => {
    if (character === '%' || character === '\\') return character.repeat(2);
    if (character === "'") return "'\\''";
    if (visibleText(character) === character) return character;
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  }).join('');
}
