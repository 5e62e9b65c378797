import type { Command } from './command.js';
import * as keep from './facts/keep.js';
import * as look from './facts/look.js';
import * as putRight from './facts/put-right.js';
import * as serve from './facts/serve.js';
import * as setUp from './facts/set-up.js';
import * as work from './facts/work.js';

/**
 * All commands, in the order in which help shows them. Their facts are here; the code that carries one out is loaded when
 * needed.
 */
export const COMMANDS: readonly Command[] = [
  { ...setUp.initFacts, group: 'Set up', load: () => import('./init.js') },
  { ...setUp.sourceFacts, group: 'Set up', load: () => import('./source.js') },
  { ...setUp.doctorFacts, group: 'Set up', load: () => import('./doctor.js') },
  { ...setUp.demoFacts, group: 'Set up', load: () => import('./demo.js') },
  { ...setUp.sandboxFacts, group: 'Set up', load: () => import('./sandbox.js') },
  { ...setUp.completionFacts, group: 'Set up', load: () => import('./completion.js') },
  { ...work.runFacts, group: 'Run', load: () => import('./run.js') },
  { ...work.callFacts, group: 'Run', load: () => import('./call.js') },
  { ...look.inspectFacts, group: 'Look', load: () => import('./inspect.js') },
  { ...look.checkFacts, group: 'Look', load: () => import('./check.js') },
  { ...look.statusFacts, group: 'Look', load: () => import('./status.js') },
  { ...look.reportFacts, group: 'Look', load: () => import('./report.js') },
  { ...look.traceFacts, group: 'Look', load: () => import('./trace.js') },
  { ...look.alertsFacts, group: 'Look', load: () => import('./alerts.js') },
  { ...putRight.rerunFacts, group: 'Put right', load: () => import('./rerun.js') },
  { ...putRight.dismissFacts, group: 'Put right', load: () => import('./dismiss.js') },
  { ...putRight.mapFacts, group: 'Put right', load: () => import('./map.js') },
  { ...putRight.correctFacts, group: 'Put right', load: () => import('./correct.js') },
  { ...putRight.restageFacts, group: 'Put right', load: () => import('./restage.js') },
  { ...keep.backupFacts, group: 'Keep', load: () => import('./backup.js') },
  { ...keep.restoreFacts, group: 'Keep', load: () => import('./restore.js') },
  { ...keep.purgeFacts, group: 'Keep', load: () => import('./purge.js') },
  { ...keep.forgetFacts, group: 'Keep', load: () => import('./forget.js') },
  { ...serve.scheduleFacts, group: 'Serve', load: () => import('./schedule.js') },
  { ...serve.consoleFacts, group: 'Serve', load: () => import('./console.js') },
  { ...serve.healthcheckFacts, group: 'Serve', load: () => import('./healthcheck.js') },
  { ...serve.userFacts, group: 'Serve', load: () => import('./user.js') },
  { ...serve.tokenFacts, group: 'Serve', load: () => import('./token.js') },
];
