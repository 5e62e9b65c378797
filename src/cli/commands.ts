import type { Command } from './command.js';
import { alertsFacts } from './facts/alerts.js';
import { backupFacts } from './facts/backup.js';
import { callFacts } from './facts/call.js';
import { checkFacts } from './facts/check.js';
import { completionFacts } from './facts/completion.js';
import { consoleFacts } from './facts/console.js';
import { correctFacts } from './facts/correct.js';
import { demoFacts } from './facts/demo.js';
import { dismissFacts } from './facts/dismiss.js';
import { doctorFacts } from './facts/doctor.js';
import { forgetFacts } from './facts/forget.js';
import { healthcheckFacts } from './facts/healthcheck.js';
import { initFacts } from './facts/init.js';
import { inspectFacts } from './facts/inspect.js';
import { mapFacts } from './facts/map.js';
import { purgeFacts } from './facts/purge.js';
import { reportFacts } from './facts/report.js';
import { rerunFacts } from './facts/rerun.js';
import { restageFacts } from './facts/restage.js';
import { restoreFacts } from './facts/restore.js';
import { runFacts } from './facts/run.js';
import { sandboxFacts } from './facts/sandbox.js';
import { scheduleFacts } from './facts/schedule.js';
import { sourceFacts } from './facts/source.js';
import { statusFacts } from './facts/status.js';
import { tokenFacts } from './facts/token.js';
import { traceFacts } from './facts/trace.js';
import { userFacts } from './facts/user.js';

/**
 * All commands, in the order in which help shows them. Their facts are here; the code that carries one out is loaded when
 * needed.
 */
export const COMMANDS: readonly Command[] = [
  { ...initFacts, load: () => import('./init.js') },
  { ...sourceFacts, load: () => import('./source.js') },
  { ...demoFacts, load: () => import('./demo.js') },
  { ...inspectFacts, load: () => import('./inspect.js') },
  { ...checkFacts, load: () => import('./check.js') },
  { ...runFacts, load: () => import('./run.js') },
  { ...statusFacts, load: () => import('./status.js') },
  { ...rerunFacts, load: () => import('./rerun.js') },
  { ...dismissFacts, load: () => import('./dismiss.js') },
  { ...mapFacts, load: () => import('./map.js') },
  { ...correctFacts, load: () => import('./correct.js') },
  { ...restageFacts, load: () => import('./restage.js') },
  { ...reportFacts, load: () => import('./report.js') },
  { ...alertsFacts, load: () => import('./alerts.js') },
  { ...doctorFacts, load: () => import('./doctor.js') },
  { ...backupFacts, load: () => import('./backup.js') },
  { ...restoreFacts, load: () => import('./restore.js') },
  { ...purgeFacts, load: () => import('./purge.js') },
  { ...forgetFacts, load: () => import('./forget.js') },
  { ...callFacts, load: () => import('./call.js') },
  { ...traceFacts, load: () => import('./trace.js') },
  { ...scheduleFacts, load: () => import('./schedule.js') },
  { ...consoleFacts, load: () => import('./console.js') },
  { ...userFacts, load: () => import('./user.js') },
  { ...tokenFacts, load: () => import('./token.js') },
  { ...healthcheckFacts, load: () => import('./healthcheck.js') },
  { ...sandboxFacts, load: () => import('./sandbox.js') },
  { ...completionFacts, load: () => import('./completion.js') },
];
