/** The renderings of a report; all but `terminal`, which is printed, are files. */
export const REPORT_FORMATS = ['terminal', 'csv', 'json', 'html', 'xlsx'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
