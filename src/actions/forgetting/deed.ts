import { OperatorError } from '../../domain/operator-error.js';
import type { State } from '../../domain/submission.js';
import { compactLedger, emptyLog, overwritingDeleted } from '../../ledger/compact.js';
import { identifiersOfForget } from '../../ledger/forget-identifiers.js';
import { learnerColumns } from '../../ledger/forgetting.js';
import type { LeaseName } from '../../ledger/leases.js';
import { type Proof, proveForgotten } from '../../upkeep/prove-forgotten.js';
import type { NamingFile } from '../../upkeep/search-files.js';
import { fromWorkspace } from '../../workspace/folders.js';
import { carryPages } from '../decision/carry-pages.js';
import type { Deed } from '../decision/deed.js';
import { type Erased, erasePerson } from './erase-person.js';
import type { NamingRows } from './kept-cells.js';
import { deleteReports, namingFiles } from './naming-files.js';
import { personOf, statesOf } from './person.js';
import { requireQuiet } from './quiet.js';

/** What there is of a person. Nothing of it is personal but the names of files. */
export interface PersonFound extends NamingRows {
  /** Submissions about the person by state; a state that none is in is left out. */
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Files of the workspace that name the person. */
  readonly files: readonly NamingFile[];
}

/** What erasing a person came to. */
export interface ErasedPerson {
  /** What there was; its files are those that are left. */
  readonly found: PersonFound;
  readonly cleared: Omit<Erased, keyof NamingRows>;
  /** Report files that were deleted. */
  readonly deleted: readonly string[];
  readonly proof: Proof;
}

/**
 * How a person is erased. Nobody may stage or deliver meanwhile. By what the person is looked for is the last to go, before the
 * ledger is written anew: a decision that is closed has left nothing, and an open one without it has nothing else to erase.
 */
export const forgetDeed: Deed<ErasedPerson> = {
  leases: ({ config }) => [
    'stage',
    ...Object.keys(config.environments).map((name): LeaseName => `push:${name}`),
  ],
  async carryOut(context, { decisionId, selection }, _runId, lost) {
    const { ledger, paths } = context;
    const hashes = selection.learners as readonly string[];
    const identifiers = identifiersOfForget(ledger, decisionId);
    const person = personOf(ledger, { hashes, identifiers });
    requireQuiet(ledger, person, GOES_ON);
    return overwritingDeleted(ledger, async () => {
      const states = statesOf(person);
      const files = identifiers.length === 0 ? [] : await namingFiles(context, person.mentions);
      const deleted = selection.reports === true ? await deleteReports(paths, files) : [];
      const { pages, erased } = erasePerson(ledger, person, decisionId);
      await carryPages(ledger, pages, lost);
      compactLedger(ledger);
      emptyLog(ledger);
      const proof = await proveForgotten(ledger, person.mentions, hashes, learnerColumns(ledger));
      const { rows, mentions, ...cleared } = erased;
      const left = files.filter(({ path }) => !deleted.includes(path));
      return { found: { states, rows, mentions, files: left }, cleared, deleted, proof };
    });
  },
  trouble: ({ paths }, { decisionId, who }, { found: { files }, proof }) => {
    if (files.length + proof.remaining.length === 0) return null;
    const named = files.slice(0, MOST_NAMED).map(({ path }) => fromWorkspace(path, paths));
    const more = files.length > named.length ? ' and others' : '';
    const left = [
      ...(files.length === 0 ? [] : [`files still name the person, or may: ${named.join(', ')}${more}`]),
      ...proof.remaining.map(({ place, count }) => `${count} in ${place}`),
    ];
    return new OperatorError({
      operation: 'forget a learner',
      subject: String(decisionId),
      message: `decision ${decisionId}, forget of ${who.name}, was carried out after its process had died; ${left.join('; ')}`,
      hint: 'Delete or correct what is left, and delete old backups.',
      exit: 'attention',
    });
  },
};

/** A sentence holds so many; registrar forget lists all. */
const MOST_NAMED = 5;

const GOES_ON = {
  hint: 'Let registrar run go on with it: the forgetting that was begun ends with that.',
  exit: 'attention',
} as const;
