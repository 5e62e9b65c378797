import { OperatorError } from '../domain/operator-error.js';
import { jsonAnswer, type SandboxAnswer, type SandboxRequest } from './answer.js';
import type { Faults } from './faults.js';
import { parseFaults } from './parse-faults.js';
import type { StoredCompletion } from './stores/completion-store.js';
import type { ReceivedRequest, SandboxStats } from './stores/received-log.js';

/** The sandbox is inspected and controlled below this path: without quota and token, and never in the log. */
export const CONTROL_PREFIX = '/_sandbox/';

export interface SandboxControls {
  /** Every request in order of arrival; grows while the sandbox is used. */
  readonly received: readonly ReceivedRequest[];
  /** What the platform holds, in the order of the first write. */
  completions(): readonly StoredCompletion[];
  stats(): SandboxStats;
  /** Replaces all faults; for the new faults requests are counted from 1 again. */
  setFaults(faults: Faults): void;
  /** Returns to the start: nothing received, no tokens, empty windows, the faults of the options. */
  reset(): void;
}

/** Answers `received`, `stats`, `faults` and `reset` below the control prefix. */
export function answerControl(
  controls: SandboxControls,
  request: SandboxRequest,
  path: string,
): SandboxAnswer {
  switch (`${request.method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case 'GET received':
      return jsonAnswer(200, { requests: controls.received, completions: controls.completions() });
    case 'GET stats':
      return jsonAnswer(200, controls.stats());
    case 'POST faults':
      try {
        controls.setFaults(parseFaults(request.body ?? ''));
        return jsonAnswer(200, { faults: 'set' });
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return jsonAnswer(400, { error: `${error.message} ${error.hint}` });
      }
    case 'POST reset':
      controls.reset();
      return jsonAnswer(200, { reset: true });
    default:
      return jsonAnswer(404, {
        error: `The sandbox has GET received, GET stats, POST faults and POST reset below ${CONTROL_PREFIX}.`,
      });
  }
}
