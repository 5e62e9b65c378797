import type { Scope } from '../ledger/books.js';
import type { CauseGroup } from './cause-groups.js';

/** Who can do something about a cause, and the commands that do it, to be given in the workspace. */
export interface Advice {
  /** In the words that follow "for". */
  readonly who: string;
  readonly commands: readonly string[];
  /** The rows can be corrected in the attention file. */
  readonly correctable: boolean;
}

/**
 * What to do about a cause's rows in the scope of a report.
 * @param drops numbers of the drops that have such rows, as far as they are known.
 */
export function causeAdvice({ code, states }: CauseGroup, scope: Scope, drops: readonly number[]): Advice {
  const names = states.map(({ state }) => state);
  if (names.includes('invalid')) {
    const mends = MENDED_BY_SETTING[code];
    return {
      who: mends === 'alone' ? KEEPER : SENDER,
      commands:
        mends === undefined ? [] : drops.slice(0, MOST_COMMANDS).map((drop) => `registrar restage ${drop}`),
      correctable: mends !== 'alone',
    };
  }
  const rerun = `registrar rerun --state ${names.join(',')} --reason ${shellWord(code)}${scopeOptions(scope)}`;
  if (code === 'learner-unknown') {
    return { who: ADMINISTRATOR, commands: ['registrar map', rerun], correctable: true };
  }
  const isRefused = names.includes('rejected');
  return { who: ROLES[code] ?? (isRefused ? SENDER : KEEPER), commands: [rerun], correctable: isRefused };
}

const SENDER = 'whoever makes the export';
/** Who sees to registrar.yaml, the machine and the credentials. */
export const KEEPER = 'whoever runs Registrar';
const ADMINISTRATOR = 'whoever administers the platform’s learners';

const ROLES: Readonly<Record<string, string>> = {
  'out-of-order': ADMINISTRATOR,
  amended: ADMINISTRATOR,
  'owner-died': ADMINISTRATOR,
  canary: KEEPER,
};

/** Issues that a setting of the source mends, alone or beside a correction of the file. */
const MENDED_BY_SETTING: Readonly<Record<string, 'alone' | 'too'>> = {
  'timestamp-unzoned': 'alone',
  'timestamp-ambiguous': 'too',
  'timestamp-nonexistent': 'too',
  'date-order-unknown': 'alone',
  'score-scale-unknown': 'alone',
  'score-invalid': 'too',
  'status-unknown': 'alone',
};

/** True for an issue that no correction of a file is needed for. */
export function isMendedBySettingAlone(code: string): boolean {
  return MENDED_BY_SETTING[code] === 'alone';
}

/** More of them are a loop, which whoever has so many files knows how to write. */
const MOST_COMMANDS = 5;

/** `rerun` knows no end of a span; it is the one bound that its list of rows must be looked through for. */
function scopeOptions({ runId, fileName, since }: Scope): string {
  return [
    runId === undefined ? '' : ` --run ${runId}`,
    fileName === undefined ? '' : ` --file ${shellWord(fileName)}`,
    since === undefined ? '' : ` --since ${shellWord(since)}`,
  ].join('');
}

/** Fit to be pasted into a shell, whatever a file is called. */
function shellWord(text: string): string {
  return /^[\w.:,@%+/-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
