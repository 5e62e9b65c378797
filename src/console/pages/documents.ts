import type { ServedDocument } from './document.js';
import { reportDocument, runReportDocument, runReportFiles } from './runs/report.js';

/** All whole documents and files, in the order in which the router tries them. */
export const DOCUMENTS: readonly ServedDocument[] = [runReportDocument, reportDocument, ...runReportFiles];
