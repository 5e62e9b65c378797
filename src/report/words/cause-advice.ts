import type { DropCount, ReportedCause } from '../../documents/report.js';
import { isFixedBySetting } from '../../domain/issue.js';
import type { Choice, Remedy, RowsToTreat } from '../../domain/remedy.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { type Actor, type CauseAction, causeEntry } from './causes.js';

const OPERATOR = 'the Registrar operator';

const WHO: Readonly<Record<Actor, string>> = {
  sender: 'the sender of the export',
  learners: 'the platform administrator',
  platform: 'the platform administrator',
  operator: OPERATOR,
};

export function causeAdvice(
  {
    cause,
    code,
    states: counted,
    drops,
  }: Pick<CauseGroup, 'cause' | 'code' | 'states'> & {
    readonly drops: readonly { readonly drop: number }[];
  },
  { runId, fileName, since }: ReportSelection,
) {
  const states = counted.map(({ state }) => state).filter((state) => state !== 'invalid');
  const state =
    states.length < counted.length
      ? 'invalid'
      : (states.find((one) => one === 'rejected') ?? states[0] ?? 'held');
  const { actor, commands = [], choices = {}, setting } = causeEntry({ state, cause });
  const restages = drops.slice(0, MAX_RESTAGES).map(({ drop }): Remedy => ({ action: 'restage', drop }));
  // `rerun` knows no end of a span: people look through its list of rows for that.
  const selection: RowsToTreat = {
    states,
    cause: code,
    ...(runId === undefined ? {} : { run: runId }),
    ...(fileName === undefined ? {} : { file: fileName }),
    ...(since === undefined ? {} : { since }),
  };
  const remedyOf = (action: CauseAction): Remedy => (action === 'map' ? { action } : { action, selection });
  const texts: Choice[] = Object.entries(choices).map(([when, action]) => ({
    when,
    remedy: remedyOf(action),
  }));
  return {
    /** The person in words that follow "for". */
    who: WHO[actor],
    /** In their order; empty where no action is the remedy, or where a person has to look first. */
    remedies: isFixedBySetting(cause) ? restages : commands.map(remedyOf),
    /** Remedies each of which is right in one case. */
    choices: setting === 'too' ? restages.map((remedy) => ({ when: SETTING_CHANGED, remedy })) : texts,
    correctable: actor === 'sender' || actor === 'learners',
  };
}

const SETTING_CHANGED = 'After changing registrar.yaml';

/** The most restages that are given as commands: for more files people write a loop, and all files are named. */
const MAX_RESTAGES = 5;

/** Causes that are one cause to people: the same code and words, in one or several states. */
export interface CauseGroup extends Omit<ReportedCause, 'state'> {
  readonly states: readonly Pick<ReportedCause, 'state' | 'count'>[];
}

/** Groups causes, those with the most rows first. The example is that of the state with the most rows. */
export function causeGroups(causes: readonly ReportedCause[]): CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const { state, ...cause } of causes) {
    const key = JSON.stringify([state === 'invalid', cause.cause, cause.code, cause.reason, cause.remedy]);
    const sum = groups.get(key) ?? { ...cause, count: 0, states: [], drops: [] };
    groups.set(key, {
      ...sum,
      count: sum.count + cause.count,
      states: [...sum.states, { state, count: cause.count }],
      drops: added(sum.drops, cause.drops),
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The drops of both lists, each once, in the order in which they came in. */
function added(some: readonly DropCount[], others: readonly DropCount[]): readonly DropCount[] {
  if (some.length === 0) return others;
  const drops = new Map(some.map((drop) => [drop.drop, drop]));
  for (const drop of others) {
    drops.set(drop.drop, { ...drop, count: drop.count + (drops.get(drop.drop)?.count ?? 0) });
  }
  return [...drops.values()].sort((a, b) => a.drop - b.drop);
}
