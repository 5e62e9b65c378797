import type { ReportDocument } from '../../documents/report.js';
import type { RunDocument } from '../../documents/run.js';
import { renderJson } from '../../report/report.js';
import type { Reported } from '../report.js';
import type { RunResult } from '../run/envelope.js';

export function reportDocument({ report, written }: Pick<Reported, 'report' | 'written'>): ReportDocument {
  return { ...renderJson(report), reportFolder: written?.folder ?? null };
}

/** `run --json`. */
export function runDocument({ runId, exit, pushes, troubles, ...reported }: RunResult): RunDocument {
  return {
    run: runId,
    exit,
    ...reportDocument(reported),
    pushes,
    troubles: troubles.map(({ message, hint }) => ({ message, hint })),
  };
}
