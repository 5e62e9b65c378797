import type { HeldCause } from '../cause.js';
import type { OperationKind } from '../operation-kind.js';
import type { State } from '../submission.js';
import { isAfter } from './guard.js';

/** A revision that a key already has. */
export interface KnownRevision {
  readonly submissionId: number;
  readonly revision: number;
  /** Hash of what it delivers. */
  readonly content: string;
  readonly state: State;
}

/** What a record is beside the revisions its key already has. */
export type Judgement =
  | { readonly disposition: 'staged' | 'amended'; readonly revision: number }
  | { readonly disposition: 'duplicate'; readonly of: number };

/** What a record becomes in the ledger: nothing, or a submission, which is held from the start where `heldFor` says why. */
export type Admission =
  | {
      readonly disposition: 'staged' | 'amended';
      readonly revision: number;
      readonly heldFor: HeldCause | null;
    }
  | { readonly disposition: 'duplicate'; readonly of: number };

/** What is the same for all records that are judged together. */
export interface AdmissionRule {
  readonly kind: OperationKind;
  /** A correction of an accepted record is sent without asking. */
  readonly sendAmendments: boolean;
  /** The records are of corrected rows: then one may go back to what a correction has replaced. */
  readonly isRedrop: boolean;
  /**
   * ISO time at which the ledger was set back to a backup, where nobody has finished that yet; null otherwise. What was
   * completed before it may have been delivered by the ledger that this one took the place of.
   */
  readonly restoredAt: string | null;
}

/** A record as far as judgement needs it. */
export interface Judged {
  readonly content: string;
  /** ISO time that orders it in its slot; null where arrival does. */
  readonly occurredAt: string | null;
  /** The submission whose place it takes, where it doesn't come from a file. */
  readonly movedFrom?: number | undefined;
}

/** What the ledger has of a record under an identifier that was corrected to its learner's. */
export interface FormerRecord {
  /** Hash of what it would deliver under that identifier. */
  readonly content: string;
  /** Of its key under that identifier. */
  readonly revisions: readonly KnownRevision[];
  /** The latest time of what was accepted in its slot under that identifier; null: nothing, or nothing with a time. */
  readonly latestAcceptedAt: string | null;
}

/**
 * Decides between staged, duplicate and amended. Occurrences repeat any earlier revision of their key; other records
 * repeat only the latest, since adding again after deleting is news.
 * @param isRedrop true for a corrected row: what was replaced and never delivered is not repeated, so that a correction
 *   can be taken back by another one.
 */
export function judge(
  content: string,
  revisions: readonly KnownRevision[],
  kind: OperationKind,
  isRedrop = false,
): Judgement {
  const latest = Math.max(0, ...revisions.map((known) => known.revision));
  const compared =
    kind !== 'occurrences' ? revisions.filter((known) => known.revision === latest) : revisions;
  const same = compared.find(
    (known) => known.content === content && !(isRedrop && known.state === 'replaced'),
  );
  if (same) return { disposition: 'duplicate', of: same.submissionId };
  return { disposition: latest === 0 ? 'staged' : 'amended', revision: latest + 1 };
}

/**
 * Decides what a record becomes. What was accepted under a former identifier of its learner must not be sent again under
 * another: it repeats that, amends it, or is older than it.
 */
export function admit(
  record: Judged,
  revisions: readonly KnownRevision[],
  formers: readonly FormerRecord[],
  rule: AdmissionRule,
): Admission {
  const judgement = judge(record.content, revisions, rule.kind, rule.isRedrop);
  if (judgement.disposition === 'duplicate') return judgement;
  const known = formers.map((former) => ({
    ...former,
    revisions: former.revisions.filter((revision) => isStill(revision, record.movedFrom)),
  }));
  for (const former of known) {
    const before = judge(former.content, former.revisions, rule.kind);
    if (before.disposition === 'duplicate') return before;
  }
  return { ...judgement, heldFor: heldFrom(record, [revisions, ...known.map((one) => one.revisions)]) };

  function heldFrom({ occurredAt }: Judged, all: readonly (readonly KnownRevision[])[]): HeldCause | null {
    const amendsAccepted = all.some((one) => one.some(({ state }) => state === 'accepted'));
    if (amendsAccepted && !mayAmend(rule)) return 'amended';
    const isOlder = known.some(({ latestAcceptedAt: latest }) => isAfter(latest, occurredAt));
    return isOlder ? 'out-of-order' : heldWhenNew(occurredAt, rule);
  }
}

/** Why a record is held from the start although nothing of it is known; null: it waits. */
export function heldWhenNew(occurredAt: string | null, { restoredAt }: AdmissionRule): HeldCause | null {
  return restoredAt !== null && (occurredAt ?? '') <= restoredAt ? 'restored' : null;
}

/** True where a submission may pass the guard of amendments for good. */
export function mayAmend({ sendAmendments, kind }: AdmissionRule): boolean {
  return sendAmendments || kind !== 'occurrences';
}

/**
 * What a row of several records counts as: as staged when any of them is, else as amended, else as the duplicate that its
 * first one is.
 */
export function countedAs<T extends Pick<Judgement, 'disposition'>>(records: readonly [T, ...T[]]): T {
  return (
    records.find(({ disposition }) => disposition === 'staged') ??
    records.find(({ disposition }) => disposition === 'amended') ??
    records[0]
  );
}

/** While a record takes a submission's place, neither that one nor what was replaced before is repeated. */
function isStill({ submissionId, state }: KnownRevision, movedFrom: number | undefined): boolean {
  return movedFrom === undefined || (submissionId !== movedFrom && state !== 'replaced');
}
