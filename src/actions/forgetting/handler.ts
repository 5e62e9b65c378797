import { readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { summed } from '../../domain/grouped.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { State } from '../../domain/submission.js';
import { type Mentions, mentionsOf } from '../../domain/text/mentions.js';
import {
  type ErasedCounts,
  forgetPerson,
  type NamingRows,
  NOTHING_ERASED,
} from '../../ledger/erasure/forget-person.js';
import type { Proof } from '../../ledger/erasure/prove-forgotten.js';
import type { LeaseName } from '../../ledger/leases/leases.js';
import { filesNaming, type NamingFile } from '../../upkeep/search-files.js';
import { fromWorkspace, type WorkspacePaths } from '../../workspace/folders.js';
import type { ActionContext } from '../context.js';
import { type DecisionHandler, runSteps } from '../decision/handler.js';
import { deleteFiles } from '../purging/handler.js';

/** What workspace and ledger hold about a person. Only the names of files are personal. */
export interface LearnerMatches extends NamingRows {
  /** Submissions about the person by state, without states that have none. */
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Files that name the person, or may; `path` is relative to the workspace. */
  readonly files: readonly NamingFile[];
}

export interface ErasedLearner {
  /** What there was before; its `files` are the files that are left. */
  readonly matches: LearnerMatches;
  readonly cleared: Omit<ErasedCounts, keyof NamingRows>;
  /** Paths of report files that were deleted, relative to the workspace. */
  readonly deleted: readonly string[];
  readonly proof: Proof;
}

/**
 * How a person is erased. No process may stage or deliver meanwhile. The identifiers are erased last, before the ledger is
 * rewritten: a closed decision has left nothing, and an open one without them has nothing else to erase.
 */
export const forgetHandler: DecisionHandler<ErasedLearner> = {
  leases: ({ config }) => [
    'stage',
    ...Object.keys(config.environments).map((name): LeaseName => `push:${name}`),
  ],
  async carryOut(context, decision, _runId, { lost }) {
    const { ledger, paths } = context;
    let files: readonly NamingFile[] = [];
    let deleted: readonly string[] = [];
    let erased = NOTHING_ERASED;
    const steps = forgetPerson(ledger, decision, async (identifiers) => {
      files = identifiers.length === 0 ? [] : await filesNamingLearner(context, mentionsOf(identifiers));
      if (decision.selection.reports === true) deleted = await deleteReports(paths, files);
    });
    const { states, proof } = await runSteps(steps, lost, (step) => {
      erased = summed(erased, step);
    });
    const { rows, mentions, ...cleared } = erased;
    const remaining = files.filter(({ path }) => !deleted.includes(path));
    return { matches: { states, rows, mentions, files: remaining }, cleared, deleted, proof };
  },
  trouble: (_context, { decisionId, who }, { matches: { files }, proof }) => {
    if (files.length + proof.remaining.length === 0) return null;
    const paths = files.slice(0, MAX_NAMED).map(({ path }) => path);
    const more = files.length > paths.length ? ' and others' : '';
    const remaining = [
      ...(files.length === 0 ? [] : [`files still name the person, or may: ${paths.join(', ')}${more}`]),
      ...proof.remaining.map(({ place, count }) => `${count} in ${place}`),
    ];
    const message = `decision ${decisionId}, forget of ${who}, was carried out after its process had died; ${remaining.join('; ')}`;
    const hint = 'Delete or correct what is left, and delete old backups.';
    return errorsOf('forget a learner')(String(decisionId), message, hint, { exit: 'attention' });
  },
};

/** The most files in a sentence; registrar forget lists all of them. */
const MAX_NAMED = 5;

/** Files that name the person, or may. Ledgers that a restore has replaced are listed unread: most of their content is packed. */
export async function filesNamingLearner(
  { paths, config }: Pick<ActionContext, 'paths' | 'config'>,
  mentions: Mentions,
): Promise<NamingFile[]> {
  const aside = (await readdir(paths.root)).filter((name) => SET_ASIDE.test(name));
  const inboxes = config.sources.map((source) => paths.inbox(source));
  const folders = [paths.archive, paths.rejected, paths.processing, paths.reports, ...inboxes];
  const ledgers = aside.map((name) => ({ path: join(paths.root, name), isSure: false }));
  const files = [...(await filesNaming(folders, mentions)), ...ledgers];
  return files.map(({ path, isSure }) => ({ path: fromWorkspace(path, paths), isSure }));
}

const SET_ASIDE = /^registrar-before-(restore|new)-/;

async function deleteReports(
  { root, reports }: WorkspacePaths,
  files: readonly NamingFile[],
): Promise<readonly string[]> {
  const deleted = files
    .map(({ path }) => path)
    .filter((path) => resolve(root, path).startsWith(reports + sep));
  await deleteFiles(deleted.map((path) => resolve(root, path)));
  return deleted;
}
