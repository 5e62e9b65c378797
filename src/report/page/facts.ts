import type { Timeline } from '../../domain/environment/timeline.js';
import type { Remedy } from '../../domain/remedy.js';
import { readPage } from '../../ledger/books/read-page.js';
import type { RunFacts } from '../../ledger/leases/runs.js';
import type { Ledger } from '../../ledger/store/query.js';
import { VERSION } from '../../version.js';
import type { Report } from '../report.js';
import type { SettingsFacts } from '../sections/settings.js';
import { type CauseGroup, causeGroups } from '../words/cause-advice.js';
import type { Html } from './html.js';

/** Where a page of the console leads to. A report that is a file names files and commands instead. */
export interface Links {
  /** The rows of a cause; null: no page has them. */
  cause(cause: CauseGroup): string | null;
  /** The rows in a state that needs attention; null: the name is another one. */
  rows(state: string): string | null;
  file(drop: number): string;
  remedy(remedy: Remedy): Html;
  readonly whole: Html;
}

/** All that the page shows: the report's model, and what the page alone needs. */
export interface PageFacts extends SettingsFacts {
  readonly report: Report;
  /** The run that the report is about; null where it is about something else. */
  readonly run: RunFacts | null;
  /** null when nothing was sent. */
  readonly timeline: Timeline | null;
  /** Those with the most rows first. */
  readonly causes: readonly CauseGroup[];
  /** Name of the file beside the page that lists a drop's rows for correction; null: there is none. */
  readonly attentionFile: ((dropId: number) => string) | null;
  /** Name of the correction workbook beside the page; null: there is none. */
  readonly workbookFile: string | null;
  readonly otherFiles: readonly string[];
  /** Absent: the page is a report, which leads nowhere. */
  readonly links?: Links;
}

export async function readPageFacts(
  ledger: Ledger,
  report: Report,
  options: Pick<PageFacts, 'config' | 'attentionFile' | 'workbookFile' | 'otherFiles'>,
): Promise<PageFacts> {
  const { run, timeline, versions } = await readPage(ledger, report.selection);
  const { sqlite, schema } = versions;
  return {
    ...options,
    report,
    run,
    timeline,
    causes: causeGroups(report.causes),
    versions: [
      ...(run === null || run.version === VERSION ? [] : [['Registrar that ran', run.version] as const]),
      ['Registrar', VERSION],
      ['Node.js', process.versions.node],
      ['SQLite', sqlite],
      ['Ledger schema', schema],
    ],
  };
}
