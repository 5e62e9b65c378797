import type { Cause } from '../../domain/cause.js';
import { type IssueCode, isMendedBySettingAlone } from '../../domain/issue.js';
import type { Choice, Remedy, RowsToTreat } from '../../domain/remedy.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { CauseGroup } from './cause-groups.js';

/** Who can do something about a cause, and what. */
export interface Advice {
  /** The person in words that follow "for". */
  readonly who: string;
  /** The remedies in their order; empty where no action is the remedy, or where a person has to look first. */
  readonly remedies: readonly Remedy[];
  /** Remedies each of which is right in one case. */
  readonly choices: readonly Choice[];
  /** True where the rows can be corrected in the attention file. */
  readonly correctable: boolean;
}

/** What to do about a cause's rows in the selection of a report. */
export function causeAdvice(
  cause: Pick<CauseGroup, 'cause' | 'code' | 'states'> & {
    readonly drops: readonly { readonly drop: number }[];
  },
  selection: ReportSelection,
): Advice {
  const { cause: why, code, states: counted, drops } = cause;
  const states = counted.map(({ state }) => state).filter((state) => state !== 'invalid');
  const restages = drops.slice(0, MOST_RESTAGES).map(({ drop }) => ({ action: 'restage', drop }) as const);
  if (why === 'damaged') return { who: KEEPER, remedies: [], choices: [], correctable: false };
  if (states.length < counted.length) {
    const isSetting = isMendedBySettingAlone(why);
    const choices = MENDED_BY_SETTING_TOO.has(why) ? restages : [];
    return {
      who: isSetting ? KEEPER : SENDER,
      remedies: isSetting ? restages : [],
      choices: choices.map((remedy) => ({ when: SETTING_CHANGED, remedy })),
      correctable: !isSetting,
    };
  }
  const isRefused = states.includes('rejected');
  const { remedies = [], choices = [] } = remediesOf(why, { states, cause: code, ...narrowedBy(selection) });
  return {
    who: ROLES[why] ?? (isRefused ? SENDER : KEEPER),
    remedies,
    choices,
    correctable: isRefused || why === 'learner-unknown',
  };
}

const SENDER = 'the sender of the export';
/** The person who looks after registrar.yaml, the machine and the credentials. */
export const KEEPER = 'the Registrar operator';
const ADMINISTRATOR = 'the platform administrator';

const SETTING_CHANGED = 'After changing registrar.yaml';

const ROLES: Partial<Record<Cause | IssueCode, string>> = {
  'learner-unknown': ADMINISTRATOR,
  'out-of-order': ADMINISTRATOR,
  amended: ADMINISTRATOR,
  'owner-died': ADMINISTRATOR,
  restored: ADMINISTRATOR,
  canary: KEEPER,
};

/**
 * The remedies of a cause: a rerun where that is right for all rows; where a person has to look first, a choice for each
 * case.
 */
function remediesOf(
  cause: Cause | IssueCode,
  selection: RowsToTreat,
): Partial<Pick<Advice, 'remedies' | 'choices'>> {
  const rerun = { action: 'rerun', selection } as const;
  const dismiss = { action: 'dismiss', selection } as const;
  const lookedUp = [
    { when: 'If it is not there', remedy: rerun },
    { when: 'If it is there', remedy: dismiss },
  ];
  switch (cause) {
    case 'learner-unknown':
      return {
        remedies: [{ action: 'map' }],
        choices: [{ when: 'Once the platform knows the learner', remedy: rerun }],
      };
    case 'amended':
      return { remedies: [rerun] };
    case 'out-of-order':
      return {
        choices: [
          { when: 'To take them off this list', remedy: dismiss },
          { when: 'If the platform should take the older date', remedy: rerun },
        ],
      };
    case 'canary':
      return { choices: [{ when: 'If the refusals are right', remedy: rerun }] };
    case 'restored':
      return { choices: lookedUp };
  }
  if (selection.states.includes('in-doubt')) return { choices: lookedUp };
  if (selection.states.includes('failed')) return { remedies: [rerun] };
  return { choices: [{ when: 'If the platform was wrong', remedy: rerun }] };
}

/** Issues that a setting of the source mends as well as a correction of the file does. */
const MENDED_BY_SETTING_TOO: ReadonlySet<Cause | IssueCode> = new Set<IssueCode>([
  'timestamp-ambiguous',
  'timestamp-nonexistent',
  'score-invalid',
  'same-key-differs',
]);

/** The most restages that are given as commands: for more files people write a loop, and all files are named. */
const MOST_RESTAGES = 5;

/**
 * The bounds of a report's selection that `rerun` knows too. It knows no end of a span, so people must look through its
 * list of rows for that.
 */
function narrowedBy({
  runId,
  fileName,
  since,
}: ReportSelection): Pick<RowsToTreat, 'run' | 'file' | 'since'> {
  return {
    ...(runId === undefined ? {} : { run: runId }),
    ...(fileName === undefined ? {} : { file: fileName }),
    ...(since === undefined ? {} : { since }),
  };
}
