import type { Command, CommandCode, Facts } from './command.js';
import { keep } from './facts/keep.js';
import { look } from './facts/look.js';
import { putRight } from './facts/put-right.js';
import { serve } from './facts/serve.js';
import { setUp } from './facts/set-up.js';
import { work } from './facts/work.js';

/**
 * All commands, in the order in which help shows them. Their facts are here; the code that carries one out is loaded when
 * needed.
 */
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
  ...listed('Look', look, {
    inspect: () => import('./inspect.js'),
    check: () => import('./check.js'),
    status: () => import('./status.js'),
    report: () => import('./report.js'),
    trace: () => import('./trace.js'),
    alerts: () => import('./alerts.js'),
  }),
  ...listed('Put right', putRight, {
    rerun: () => import('./rerun.js'),
    dismiss: () => import('./dismiss.js'),
    map: () => import('./map.js'),
    correct: () => import('./correct.js'),
    restage: () => import('./restage.js'),
  }),
  ...listed('Keep', keep, {
    backup: () => import('./backup.js'),
    restore: () => import('./restore.js'),
    ledger: () => import('./ledger.js'),
    purge: () => import('./purge.js'),
    forget: () => import('./forget.js'),
  }),
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
