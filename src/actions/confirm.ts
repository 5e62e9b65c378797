import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { Issue } from '../domain/issue.js';
import { operationNamed } from '../operations/registry.js';
import { planAsKnown, requireKnownMapping } from '../reading/known-mapping.js';
import { type DropPlan, planDrop } from '../reading/plan-drop.js';
import { type ChangedSetting, requireKnownSettings, settingsChanged } from '../staging/key-settings.js';
import { openDelivered } from '../staging/open-delivered.js';
import { listInbox } from '../workspace/inbox/list-inbox.js';
import { type ActionContext, sourceNamed } from './context.js';
import { requireLeases } from './decision/decide.js';

/** What a person would confirm for a source: its changed settings, and how the files in its inbox are read. */
export interface Confirming {
  readonly source: SourceConfig;
  /** Changed settings on which the keys of its rows depend. */
  readonly settings: readonly ChangedSetting[];
  /** Rows staged so far, each of which would be new if it were exported again. 0 where no setting has changed. */
  readonly rows: number;
  readonly files: readonly FileInQuestion[];
}

/** A file that would be read otherwise than the source's files so far, or whose content is questionable. */
export interface FileInQuestion {
  readonly file: string;
  /** What speaks against the file. */
  readonly issues: readonly Issue[];
  readonly plan: DropPlan;
}

/** Works out what is to be confirmed for a source, with the files in its inbox; writes nothing. */
export async function plan(
  { ledger, config, paths }: ActionContext,
  { source: name }: { readonly source: string },
): Promise<Confirming> {
  const source = sourceNamed(config, name);
  const { changed, rows } = await settingsChanged(ledger, source);
  const files: FileInQuestion[] = [];
  for (const { name: file, path } of await listInbox(source, paths)) {
    const planned = await planDrop(
      await openDelivered(path, source),
      operationNamed(source.operation),
      source,
    );
    if (planned.kind !== 'export') continue;
    const known = await planAsKnown(ledger, source, planned);
    if (known.kind === 'refused') files.push({ file, issues: known.issues, plan: planned });
  }
  return { source, settings: changed, rows, files };
}

/**
 * Records that the plan's changes are confirmed: one decision for the settings, and one for each way in which columns are
 * read. The next run takes the files in. `run --confirm` does the same for each file as it meets it.
 */
export async function carryOut(
  context: ActionContext,
  { source, settings, files }: Confirming,
  who: Decider,
  because: string | null,
): Promise<void> {
  const { ledger } = context;
  const asked = { operation: 'confirm a source', subject: source.name };
  // A process that stages relies on what it has found confirmed.
  await requireLeases(context, ['stage'], asked, async () => {
    if (settings.length > 0) await requireKnownSettings(ledger, source, who, because);
    for (const { plan: planned } of files) await requireKnownMapping(ledger, source, planned, who, because);
  });
}
