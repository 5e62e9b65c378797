import type { Remedy, RowsToTreat } from '../../domain/remedy.js';
import { shellWord } from './shell-word.js';

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
