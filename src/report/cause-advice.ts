import type { Cause } from '../domain/cause.js';
import type { IssueCode } from '../domain/issue.js';
import type { Scope } from '../ledger/books.js';
import type { CauseGroup } from './cause-groups.js';
import { shellWord } from './shell-word.js';

/** Who can do something about a cause, and the commands that do it, to be given in the workspace. */
export interface Advice {
  /** In the words that follow "for". */
  readonly who: string;
  /** Commands that are the remedy, in order; none where it isn't one, or where a person has to look first. */
  readonly commands: readonly string[];
  /** Commands that are right in one case each, which somebody has to find out about. */
  readonly choices: readonly Choice[];
  /** The rows can be corrected in the attention file. */
  readonly correctable: boolean;
}

/** A command and when to give it: a clause that begins a sentence, "If it is not there". */
export interface Choice {
  readonly when: string;
  readonly command: string;
}

/**
 * What to do about a cause's rows in the scope of a report.
 * @param where added to commands, so that they work where the person is: ` --workspace …` or nothing.
 */
export function causeAdvice(
  cause: Pick<CauseGroup, 'cause' | 'code' | 'states'> & {
    readonly drops: readonly { readonly dropId: number }[];
  },
  scope: Scope,
  where = '',
): Advice {
  const { cause: why, code, states, drops } = cause;
  const names = states.map(({ state }) => state);
  const restages = drops.slice(0, MOST_COMMANDS).map(({ dropId }) => `registrar restage ${dropId}${where}`);
  if (why === 'damaged') return { who: KEEPER, commands: restages, choices: [], correctable: false };
  if (names.includes('invalid')) {
    const mends = MENDED_BY_SETTING[why];
    return {
      who: mends === 'alone' ? KEEPER : SENDER,
      commands: mends === 'alone' ? restages : [],
      choices: mends === 'too' ? restages.map((command) => ({ when: SETTING_CHANGED, command })) : [],
      correctable: mends !== 'alone',
    };
  }
  const rows = `--state ${names.join(',')} --reason ${shellWord(code)}${scopeOptions(scope)}`;
  const rerun = `registrar rerun ${rows}${where}`;
  const dismiss = `registrar dismiss ${rows} --because "…"${where}`;
  const isRefused = names.includes('rejected');
  const { commands = [], choices = [] } = remedyOf(why, names, {
    rerun,
    dismiss,
    map: `registrar map${where}`,
  });
  return {
    who: ROLES[why] ?? (isRefused ? SENDER : KEEPER),
    commands,
    choices,
    correctable: isRefused || why === 'learner-unknown',
  };
}

const SENDER = 'whoever makes the export';
/** Who sees to registrar.yaml, the machine and the credentials. */
export const KEEPER = 'whoever runs Registrar';
const ADMINISTRATOR = 'whoever administers the platform’s learners';

const SETTING_CHANGED = 'After a change of registrar.yaml';

const ROLES: Partial<Record<Cause | IssueCode, string>> = {
  'learner-unknown': ADMINISTRATOR,
  'out-of-order': ADMINISTRATOR,
  amended: ADMINISTRATOR,
  'owner-died': ADMINISTRATOR,
  restored: ADMINISTRATOR,
  canary: KEEPER,
};

/** A rerun is given where it is the remedy; where a person has to look first, each case has its command. */
function remedyOf(
  cause: Cause | IssueCode,
  states: readonly string[],
  { rerun, dismiss, map }: Readonly<Record<'rerun' | 'dismiss' | 'map', string>>,
): Partial<Pick<Advice, 'commands' | 'choices'>> {
  const lookedUp = [
    { when: 'If it is not there', command: rerun },
    { when: 'If it is there', command: dismiss },
  ];
  switch (cause) {
    case 'learner-unknown':
      return { commands: [map], choices: [{ when: 'Once the platform knows the learner', command: rerun }] };
    case 'amended':
      return { commands: [rerun] };
    case 'out-of-order':
      return {
        choices: [
          { when: 'To take them off this list', command: dismiss },
          { when: 'If the platform should take the older date', command: rerun },
        ],
      };
    case 'canary':
      return { choices: [{ when: 'If the refusals are right', command: rerun }] };
    case 'restored':
      return { choices: lookedUp };
  }
  if (states.includes('in-doubt')) return { choices: lookedUp };
  if (states.includes('failed')) return { commands: [rerun] };
  return { choices: [{ when: 'If the platform was wrong', command: rerun }] };
}

/** Issues that a setting of the source mends, alone or beside a correction of the file. */
const MENDED_BY_SETTING: Partial<Record<Cause | IssueCode, 'alone' | 'too'>> = {
  'timestamp-unzoned': 'alone',
  'timestamp-ambiguous': 'too',
  'timestamp-nonexistent': 'too',
  'date-order-unknown': 'alone',
  'score-scale-unknown': 'alone',
  'score-invalid': 'too',
  'status-unknown': 'alone',
};

/** True for an issue that no correction of a file is needed for. */
export function isMendedBySettingAlone(code: IssueCode): boolean {
  return MENDED_BY_SETTING[code] === 'alone';
}

/** More of them are a loop, which whoever has so many files knows how to write; the files are all named. */
const MOST_COMMANDS = 5;

/** `rerun` knows no end of a span; it is the one bound that its list of rows must be looked through for. */
function scopeOptions({ runId, fileName, since }: Scope): string {
  return [
    runId === undefined ? '' : ` --run ${runId}`,
    fileName === undefined ? '' : ` --file ${shellWord(fileName)}`,
    since === undefined ? '' : ` --since ${shellWord(since)}`,
  ].join('');
}
