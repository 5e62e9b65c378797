import { browseRows, type RowsAsked } from '../../actions/browse/browse-rows.js';
import { check } from '../../actions/check.js';
import type { ActionContext } from '../../actions/context.js';
import { checkDocument } from '../../actions/documents/inspect-document.js';
import { reportDocument } from '../../actions/documents/report-document.js';
import { readHealth } from '../../actions/health/read-health.js';
import { unknownLearners } from '../../actions/learners/unknown-learners.js';
import { type ReportRequest, report } from '../../actions/report.js';
import { plan as planRun } from '../../actions/run/plan.js';
import { status } from '../../actions/status.js';
import { trace } from '../../actions/trace.js';
import { OperatorError } from '../../domain/operator-error.js';
import { traceDocument } from '../../report/trace/trace-document.js';

/** What the HTTP interface reads: the documents of the command line. */
export const DOCUMENT_QUERIES = {
  statusDocument: (context: ActionContext, _request: Readonly<Record<string, never>>) =>
    status(context, { workspace: null }),
  healthDocument: (context: ActionContext, _request: Readonly<Record<string, never>>) => readHealth(context),
  reportDocument: async (context: ActionContext, request: Pick<ReportRequest, 'selection' | 'inboxes'>) =>
    reportDocument(await report(context, { ...request, files: null })),
  rowsPage: (context: ActionContext, asked: RowsAsked) => browseRows(context, asked),
  traceDocument: async (
    context: ActionContext,
    { what, searchAll }: { readonly what: string; readonly searchAll: boolean },
  ) => {
    const found = await trace(context, { what, searchAll, inFull: true });
    return { ...traceDocument(found), kind: found.kind };
  },
  checkDocument: async (
    context: ActionContext,
    {
      path,
      name,
      source,
      limit,
    }: { readonly path: string; readonly name: string; readonly source: string; readonly limit: number },
  ) => {
    try {
      return checkDocument(await check(context, { file: path, source, limit }));
    } catch (error) {
      if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
      // Its place here means nothing to the program that sent it.
      const { operation, subject, message, hint, exit } = error;
      const told = (text: string) => text.replaceAll(path, name);
      throw new OperatorError({
        operation,
        subject: told(subject),
        message: told(message),
        hint: told(hint),
        exit,
        cause: error,
      });
    }
  },
  runPlan: (context: ActionContext, request: Parameters<typeof planRun>[1]) => planRun(context, request),
  unknownLearners: (context: ActionContext, _request: Readonly<Record<string, never>>) =>
    unknownLearners(context),
} as const;
