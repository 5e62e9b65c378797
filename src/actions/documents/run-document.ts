import { renderJson } from '../../report/render-json.js';
import type { RunResult } from '../run/envelope.js';

/** `run --json`. */
export function runDocument(result: RunResult): Record<string, unknown> {
  return {
    run: result.runId,
    exit: result.exit,
    ...renderJson(result.report),
    reportFolder: result.kept?.folder ?? null,
    pushes: result.pushes,
    troubles: result.troubles.map(({ message, hint }) => ({ message, hint })),
  };
}
