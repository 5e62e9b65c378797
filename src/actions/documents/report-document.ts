import type { ReportDocument } from '../../documents/report.js';
import type { RunDocument } from '../../documents/run.js';
import { renderJson } from '../../report/report.js';
import type { report } from '../report.js';
import type { RunResult } from '../run/run-lifecycle.js';

type Reported = Awaited<ReturnType<typeof report>>;

export function reportDocument({ report: model, written }: Reported): ReportDocument {
  return { ...renderJson(model), reportFolder: written?.folder ?? null };
}

export function runDocument({ runId, exit, pushes, troubles, ...reported }: RunResult): RunDocument {
  return {
    run: runId,
    exit,
    ...reportDocument(reported),
    pushes,
    troubles: troubles.map(({ message, hint }) => ({ message, hint })),
  };
}
