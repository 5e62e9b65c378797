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
  cause(cause: CauseGroup): string | null;
  /** The rows in a state that needs attention; null: the name is another one. */
  rows(state: string): string | null;
  file(drop: number): string;
  remedy(remedy: Remedy): Html;
  readonly whole: Html;
}

export interface PageFacts extends SettingsFacts {
  readonly report: Report;
  readonly run: RunFacts | null;
  /** null when nothing was sent. */
  readonly timeline: Timeline | null;
  readonly causes: readonly CauseGroup[];
  readonly attentionFile: ((dropId: number) => string) | null;
  readonly guideFile: string | null;
  readonly otherFiles: readonly string[];
  readonly links?: Links;
}

export async function readPageFacts(
  ledger: Ledger,
  report: Report,
  options: Pick<PageFacts, 'config' | 'attentionFile' | 'guideFile' | 'otherFiles'>,
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
