import { VERBS, type VerbFacts, type VerbName } from '../actions/decision/verb-facts.js';
import type { DecidedName } from '../actions/load-verb.js';
import type { Command, CommandCode, Facts } from './command.js';
import { keep, look, serve, setUp, work } from './facts.js';
import { aboutVerb } from './verb-command.js';

export const COMMANDS: readonly Command[] = [
  ...listed('Set up', setUp, {
    init: () => import('./init.js'),
    source: () => import('./source.js'),
    doctor: () => import('./doctor.js'),
    demo: () => import('./demo.js'),
    sandbox: () => import('./sandbox.js'),
    completion: () => import('./completion.js'),
  }),
  ...listed('Run', work, {
    run: () => import('./run.js'),
  }),
  ...listed('View', look, {
    inspect: () => import('./inspect.js'),
    check: () => import('./check.js'),
    status: () => import('./status.js'),
    report: () => import('./report.js'),
    trace: () => import('./trace.js'),
    alerts: () => import('./alerts.js'),
  }),
  ...verbs('Correct', { rerun: () => import('./rerun.js'), map: () => import('./map.js') }),
  ...listed('Maintain', keep, {
    backup: () => import('./backup.js'),
    restore: () => import('./restore.js'),
    ledger: () => import('./ledger.js'),
  }),
  ...verbs('Maintain', {}),
  ...listed('Serve', serve, {
    schedule: () => import('./schedule.js'),
    console: () => import('./console.js'),
    healthcheck: () => import('./healthcheck.js'),
    user: () => import('./user.js'),
    token: () => import('./token.js'),
  }),
];

function listed<Own extends Facts>(
  group: string,
  facts: Own,
  code: Readonly<Record<keyof Own, () => Promise<CommandCode>>>,
): Command[] {
  return Object.keys(facts).map((name) => ({ name, group, ...facts[name], load: code[name] }) as Command);
}

/** The commands of the verbs in a group. @param own those with an answer of their own. */
function verbs(
  group: VerbFacts['group'],
  own: Partial<Readonly<Record<VerbName, () => Promise<CommandCode>>>>,
): Command[] {
  const names = (Object.keys(VERBS) as VerbName[]).filter((name) => VERBS[name].group === group);
  const decided = (name: VerbName) => async () => ({
    answer: (await import('./decision-answer.js')).answerOf(name as DecidedName),
  });
  return names.map((name) => ({ name, group, ...aboutVerb(name), load: own[name] ?? decided(name) }));
}
