import type { HeldCause } from '../cause.js';
import { grouped } from '../grouped.js';
import type { OperationKind } from '../operation-kind.js';
import type { State } from '../submission.js';
import { isAfter } from './guard.js';

export interface KnownRevision {
  readonly submissionId: number;
  readonly revision: number;
  readonly content: string;
  readonly state: State;
}

export type Judgement =
  | { readonly disposition: 'staged' | 'amended'; readonly revision: number }
  | { readonly disposition: 'duplicate'; readonly of: number };

/** What a record becomes in the ledger: nothing, or a submission. `heldFor` says why a submission is held from the start. */
export type Admission =
  | {
      readonly disposition: 'staged' | 'amended';
      readonly revision: number;
      readonly heldFor: HeldCause | null;
    }
  | { readonly disposition: 'duplicate'; readonly of: number };

export interface AdmissionRule {
  readonly kind: OperationKind;
  /** Amendments are sent without a person's decision. */
  readonly sendAmendments: boolean;
  /** A correction may return to content that an earlier correction replaced. */
  readonly isCorrection: boolean;
  /** While a restore isn't finished: the replaced ledger may have delivered records completed before. */
  readonly restoredAt: string | null;
}

export interface RecordFacts {
  readonly content: string;
  /** ISO time that orders it in its slot; null where arrival does. */
  readonly occurredAt: string | null;
  /** The submission to replace, where the record doesn't come from a file. */
  readonly movedFrom?: number | undefined;
}

/** What the ledger has of a record under a former identifier of its learner. */
export interface FormerRecord {
  readonly content: string;
  readonly revisions: readonly KnownRevision[];
  /** In the record's slot under that identifier; null: none was accepted, or none with a time. */
  readonly latestAcceptedAt: string | null;
}

/**
 * Occurrences repeat any earlier revision of their key; other records only the latest, since adding again after deleting is news.
 * @param isCorrection it can undo another one: it doesn't repeat a revision that was replaced before its delivery.
 */
export function judge(
  content: string,
  revisions: readonly KnownRevision[],
  kind: OperationKind,
  isCorrection = false,
): Judgement {
  const latest = Math.max(0, ...revisions.map((one) => one.revision));
  const compared = kind !== 'occurrences' ? revisions.filter((one) => one.revision === latest) : revisions;
  const same = compared.find((one) => one.content === content && !(isCorrection && one.state === 'replaced'));
  if (same) return { disposition: 'duplicate', of: same.submissionId };
  return { disposition: latest === 0 ? 'staged' : 'amended', revision: latest + 1 };
}

/** What was accepted under a former identifier of the learner must not be sent again under another. */
export function admit(
  record: RecordFacts,
  revisions: readonly KnownRevision[],
  formers: readonly FormerRecord[],
  rule: AdmissionRule,
): Admission {
  const judgement = judge(record.content, revisions, rule.kind, rule.isCorrection);
  if (judgement.disposition === 'duplicate') return judgement;
  const unsentFormers = formers.map((former) => ({
    ...former,
    revisions: former.revisions.filter((revision) => isStill(revision, record.movedFrom)),
  }));
  for (const former of unsentFormers) {
    const before = judge(former.content, former.revisions, rule.kind);
    if (before.disposition === 'duplicate') return before;
  }
  return {
    ...judgement,
    heldFor: heldFrom(record, [revisions, ...unsentFormers.map((one) => one.revisions)]),
  };

  function heldFrom(
    { occurredAt }: RecordFacts,
    all: readonly (readonly KnownRevision[])[],
  ): HeldCause | null {
    const amendsAccepted = all.some((one) => one.some(({ state }) => state === 'accepted'));
    if (amendsAccepted && !mayAmend(rule)) return 'amended';
    const isOlder = unsentFormers.some(({ latestAcceptedAt: latest }) => isAfter(latest, occurredAt));
    return isOlder ? 'out-of-order' : heldWhenNew(occurredAt, rule);
  }
}

/** Why a record that the ledger doesn't know yet is held from the start; null: it waits. */
export function heldWhenNew(occurredAt: string | null, { restoredAt }: AdmissionRule): HeldCause | null {
  return restoredAt !== null && (occurredAt ?? '') <= restoredAt ? 'restored' : null;
}

/** True where a submission may pass the guard of amendments for good. */
export function mayAmend({ sendAmendments, kind }: AdmissionRule): boolean {
  return sendAmendments || kind !== 'occurrences';
}

/** Staged when any record is, else amended when any is, else the duplicate that its first record is. */
export function countedAs<T extends Pick<Judgement, 'disposition'>>(records: readonly T[]): T {
  return (
    records.find(({ disposition }) => disposition === 'staged') ??
    records.find(({ disposition }) => disposition === 'amended') ??
    (records[0] as T)
  );
}

/** A record that is to replace a submission doesn't repeat that submission, nor any that was replaced before. */
function isStill({ submissionId, state }: KnownRevision, movedFrom: number | undefined): boolean {
  return movedFrom === undefined || (submissionId !== movedFrom && state !== 'replaced');
}

export interface CreatedRecord {
  readonly number: number;
  readonly line: number;
  readonly disposition: 'staged' | 'duplicate' | 'amended';
  readonly submissionId: number;
}

export type LineResult = NonNullable<ReturnType<ReturnType<typeof resultsByLine>['get']>>;

/** By line: the number of its first record, the submissions that the records became, and those that they repeat. */
export function resultsByLine(listed: readonly CreatedRecord[]) {
  const lists = [...grouped(listed, ({ line }) => line)].map(([line, records]) => {
    const [created, repeated]: [number[], number[]] = [[], []];
    for (const { disposition, submissionId } of records) {
      (disposition === 'duplicate' ? repeated : created).push(submissionId);
    }
    const number = (records[0] as CreatedRecord).number;
    return [line, { number, disposition: countedAs(records).disposition, created, repeated }] as const;
  });
  return new Map(lists);
}
