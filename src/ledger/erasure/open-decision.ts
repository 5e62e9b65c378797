import { isoFromMs } from '../../domain/clock.js';
import type { Refusal } from '../../domain/issue.js';
import type { Correction, IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { mapSeries } from '../../domain/process/series.js';
import {
  type CorrectedFileArrival,
  type CorrectedRow,
  type CorrectionIssue,
  recordCorrectedFile,
  refusalsOfCorrectedFile,
  saveCorrectedRows,
} from '../decisions/corrected-rows.js';
import {
  type DecisionFacts,
  decisionNumbered,
  decisionsOfRequest,
  endDecision,
  openDecisions,
  type RecordedDecision,
  recordDecision,
} from '../decisions/decision-log.js';
import { saveCorrection, suppressLearners } from '../decisions/known-learners.js';
import type { FormattedDrop } from '../drops/drops.js';
import { recordRefusal } from '../drops/refused/refuse-drop.js';
import { dismissRefusals } from '../drops/refused/refused-drops.js';
import { type Ledger, writing } from '../store/query.js';
import { listSelected, momentOf, type RowFilter } from '../submissions/select/selection.js';
import { namedThrough, personOf, requireQuiet, storeIdentifiers } from './person.js';

/** A decision, with everything that is needed to carry it out. Personal. */
export type NewDecision = Pick<DecisionFacts, 'who' | 'because'> &
  /** It lists the matching rows; a dismissal also lists refused files, by drop number. */
  (
    | (WithSelection & { readonly kind: 'rerun'; readonly filter: RowFilter })
    | (WithSelection & {
        readonly kind: 'dismiss';
        readonly filter: RowFilter;
        readonly refusals: readonly number[];
      })
    | (WithSelection & { readonly kind: 'purge' | 'restage' })
    /** Replaces a learner's identifier with another. */
    | { readonly kind: 'map'; readonly correction: Correction }
    /** Erases all data about these learners. `reports`: also deletes generated reports with the person. */
    | { readonly kind: 'forget'; readonly learners: readonly IdentifiedLearner[]; readonly reports: boolean }
    /**
     * Confirms that the losses of these restores, by decision number, were checked: rows that are new from now on are
     * sent normally, and held rows stay held. Recording it finishes the decision.
     */
    | { readonly kind: 'finish-restores'; readonly restores: readonly number[] }
  );

type WithSelection = Pick<DecisionFacts, 'selection'>;

type Of<Kind extends NewDecision['kind']> = Extract<NewDecision, { readonly kind: Kind }>;

/**
 * Records a decision, with everything that is needed to carry it out, before it is carried out. Returns an equal
 * unfinished decision instead, if there is one, and the decision that the same request has made; otherwise each rerun
 * and each dismissal is a new decision with its own list. Throws OperatorError for a forget while a file is half staged
 * or a row about the person is being sent.
 */
export async function openDecision(ledger: Ledger, decision: NewDecision): Promise<RecordedDecision> {
  return writing(ledger, async (ledger) => {
    const [existing] = await decisionsOfRequest(ledger, decision.who);
    return existing ?? decisionNumbered(ledger, await open(ledger, decision));
  });
}

/** A correction of rows and of learners' identifiers, from a form, a program or a corrected file. Personal. */
export interface NewCorrection extends Pick<DecisionFacts, 'who' | 'because'> {
  readonly rows: readonly CorrectedRow[];
  readonly mappings: readonly Correction[];
  /**
   * The corrected file, with the parts that can't be carried out, and why the file is refused because of them
   * (`refusal`; null: it isn't). null: the correction has no file.
   */
  readonly file:
    | (CorrectedFileArrival & {
        readonly issues: readonly CorrectionIssue[];
        readonly refusal: { readonly drop: FormattedDrop; readonly why: Refusal } | null;
      })
    | null;
}

/**
 * Records a correction and the arrival of its file in one transaction: a decision about the rows, then one for each
 * learner. Closes earlier refusals of a corrected file with this name. Returns the decisions that the same request has made
 * instead, if there are any.
 */
export async function openCorrection(ledger: Ledger, { rows, mappings, file, ...decision }: NewCorrection) {
  return writing(ledger, async (ledger) => {
    const existing = await decisionsOfRequest(ledger, decision.who);
    if (existing.length > 0) return existing;
    const places = rows.slice(0, MAX_NAMED).map(({ dropId, line }) => `${dropId}:${line}`);
    const selection = file === null ? { rows: places } : { file: file.sha256 };
    const id = await recordDecision(ledger, { ...decision, kind: 'correct', selection });
    await saveCorrectedRows(ledger, id, rows, file?.issues ?? []);
    if (file !== null) {
      await dismissRefusals(ledger, await refusalsOfCorrectedFile(ledger, file), id);
      await recordCorrectedFile(ledger, id, file);
      if (file.refusal !== null) await recordRefusal(ledger, file.refusal.drop, file.refusal.why);
    }
    const ids = [id];
    for (const correction of mappings) {
      ids.push(await openMapping(ledger, { ...decision, kind: 'map', correction }));
    }
    return mapSeries(ids, async (one) => decisionNumbered(ledger, one));
  });
}

/** The maximum number of rows in the decision's selection; all are listed with the decision. */
const MAX_NAMED = 20;

async function open(ledger: Ledger, decision: NewDecision): Promise<number> {
  switch (decision.kind) {
    case 'rerun':
    case 'dismiss':
      return openListed(ledger, decision);
    case 'map':
      return openMapping(ledger, decision);
    case 'forget':
      return openForget(ledger, decision);
    case 'finish-restores':
      return finishRestores(ledger, decision);
    default:
      return openOnce(ledger, decision);
  }
}

/** Records the decision with its list, in one transaction: a million rows take about a second. */
async function openListed(ledger: Ledger, decision: Of<'rerun' | 'dismiss'>): Promise<number> {
  const { transitionId } = await momentOf(ledger);
  const id = await recordDecision(ledger, decision, transitionId);
  await listSelected(ledger, id, decision.filter);
  if (decision.kind === 'dismiss') await dismissRefusals(ledger, decision.refusals, id);
  return id;
}

async function openMapping(ledger: Ledger, { correction, ...decision }: Of<'map'>): Promise<number> {
  const selection = { old: correction.old.hash, new: correction.now.hash };
  const id = await openOnce(ledger, { ...decision, selection });
  await saveCorrection(ledger, correction, id);
  return id;
}

async function openForget(ledger: Ledger, { learners, reports, ...decision }: Of<'forget'>): Promise<number> {
  const named = await namedThrough(ledger, learners);
  await requireQuiet(ledger, await personOf(ledger, named));
  const id = await openOnce(ledger, { ...decision, selection: { learners: named.hashes, reports } });
  await suppressLearners(ledger, named.hashes, id);
  await storeIdentifiers(ledger, id, named.identifiers);
  return id;
}

async function finishRestores(ledger: Ledger, { restores, ...decision }: Of<'finish-restores'>) {
  const selection = { restores, finishedAt: isoFromMs(ledger.clock.nowMs()) };
  const id = await recordDecision(ledger, { ...decision, kind: 'confirm', selection });
  for (const decisionId of [id, ...restores]) await endDecision(ledger, decisionId);
  return id;
}

async function openOnce(ledger: Ledger, facts: DecisionFacts): Promise<number> {
  const selection = JSON.stringify(facts.selection);
  const open = (await openDecisions(ledger)).findLast(
    (one) => one.kind === facts.kind && JSON.stringify(one.selection) === selection,
  );
  return open?.decisionId ?? recordDecision(ledger, facts);
}
