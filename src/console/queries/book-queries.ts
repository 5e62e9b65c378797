import { decisionInFull, decisionList } from '../../actions/browse/decisions.js';
import { reportFile } from '../../actions/browse/report-file.js';
import { maskedReportPage, reportPage } from '../../actions/browse/report-page.js';
import { runInFull } from '../../actions/browse/run.js';
import { runList } from '../../actions/browse/runs.js';
import { scheduleNow } from '../../actions/browse/schedule-now.js';
import { settingsNow } from '../../actions/browse/settings-now.js';
import type { ActionContext } from '../../actions/context.js';

/** What was done, what is due, and under which settings. */
export const BOOK_QUERIES = {
  runs: runList,
  run: runInFull,
  reportPage,
  maskedReportPage,
  reportFile,
  decisions: decisionList,
  decision: decisionInFull,
  schedule: scheduleNow,
  settings: (context: ActionContext, _request: Readonly<Record<string, never>>) => settingsNow(context),
} as const;
