import type { Remedy, RowsToTreat } from '../../domain/remedy.js';

/** A remedy as a command; words in capitals are to be filled in. @param workspace the folder to name; null: none is named. */
export function commandLine(remedy: Remedy, workspace: string | null = null): string {
  return commandOf(wordsOf(remedy), workspace);
}

/** Words of a command, each as a shell reads it, with the workspace. */
export function commandOf(words: readonly string[], workspace: string | null): string {
  const option = workspace === null ? [] : ['--workspace', shellWord(workspace)];
  return ['registrar', ...words, ...option].join(' ');
}

function wordsOf(remedy: Remedy): string[] {
  switch (remedy.action) {
    case 'map':
      return [remedy.action];
    case 'rerun':
      return ['rerun', ...selectionWords(remedy.selection)];
    case 'dismiss': {
      const what = 'drop' in remedy ? ['--drop', String(remedy.drop)] : selectionWords(remedy.selection);
      return ['dismiss', ...what, '--because', 'TEXT'];
    }
    case 'restage':
      return ['restage', String(remedy.drop)];
    case 'restore':
      return ['restore', '--finish', '--because', 'TEXT'];
  }
}

/** The options of a selection; rows that are named one by one need no state. */
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

/** The text as one word of a POSIX shell. One that begins with a dash is quoted too, so that readers see a value. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,][\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
