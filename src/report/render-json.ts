import type { Report } from './report.js';

/** The report as `run --json` and `report --json` print it; docs/cli-json.md describes it. */
export function renderJson(report: Report): Record<string, unknown> {
  return {
    selection: report.selection,
    at: report.at,
    balanced: report.balanced,
    equations: report.equations.map(({ over, subject, equation, left, right, holds }) => ({
      over,
      subject,
      equation,
      left,
      right,
      holds,
    })),
    imbalances: report.imbalances,
    rows: report.rows,
    dispositions: report.dispositions,
    states: report.states,
    attempts: report.attempts,
    attention: report.attention,
    attentionRows: report.attentionRows,
    attentionFiles: report.attentionFiles,
    waiting: report.waiting,
    causes: report.causes.map(({ drops, ...cause }) => ({
      ...cause,
      drops: drops.map(({ dropId, ...drop }) => ({ drop: dropId, ...drop })),
    })),
    outages: report.outages,
    notices: report.notices,
    unknownLearners: report.unknownLearners,
    leftOut: report.leftOut.map(({ drops, ...left }) => ({
      ...left,
      drops: drops.map(({ dropId, ...drop }) => ({ drop: dropId, ...drop })),
    })),
    altered: report.altered,
    existing: report.existing,
    untaken: report.untaken,
    files: report.files.map((file) => ({
      drop: file.dropId,
      source: file.source,
      file: file.file,
      firstFile: file.firstFile,
      state: file.state,
      rows: file.rowsRead,
      hiddenRows: file.hiddenRows,
      sheetsLeft: file.sheetsLeft,
      refusal: file.refusal,
      closure: file.closure,
      control: file.control,
      dispositions: file.dispositions,
      states: file.states,
      repeatedArrivals: file.repeatedArrivals,
      repeatedNames: file.repeatedNames,
      changedAt: file.changedAt,
    })),
  };
}
