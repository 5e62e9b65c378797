import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Issue } from '../domain/issue.js';
import type { NormalisedRecord } from '../domain/record.js';
import type { Disposition } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { corrections } from '../ledger/corrections.js';
import { formerRows } from '../ledger/former-rows.js';
import { keyMaker } from '../ledger/keys.js';
import type { Ledger } from '../ledger/query.js';
import { type Judgement, judge, type KnownRevision, revisionsOf } from '../ledger/revisions.js';
import { noDispositions } from '../ledger/staging.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import type { Operation, PlatformRequest } from '../operations/operation.js';
import type { DropPlan } from './plan-drop.js';
import { prepareRows } from './prepare-rows.js';

/** What staging a file would make of it. */
export interface CheckedDrop {
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Of invalid and skipped rows, the first `limit`. */
  readonly issues: readonly (Issue & { readonly line: number })[];
  /** The first `limit` that would be delivered. */
  readonly records: readonly {
    readonly line: number;
    readonly key: string;
    readonly request: PlatformRequest;
  }[];
}

type CheckedRevision = Pick<KnownRevision, 'submissionId' | 'revision' | 'content'>;

/**
 * A dry run of staging: the same preparation and the same judgement, against what the ledger knows and what the file
 * itself repeats. Writes nothing. `ledger` is null where there is none yet.
 */
export async function checkDrop(
  opened: OpenedDrop,
  plan: DropPlan,
  context: {
    readonly ledger: Ledger | null;
    readonly clock: Clock;
    readonly source: SourceConfig;
    readonly operation: Operation;
    readonly limit: number;
  },
): Promise<CheckedDrop> {
  const { ledger, operation, source, clock, limit } = context;
  const dispositions = noDispositions();
  const issues: (Issue & { line: number })[] = [];
  const records: { line: number; key: string; request: PlatformRequest }[] = [];
  const seen = seenRevisions();
  const preparation = {
    operation,
    source,
    plan,
    // Without a ledger there is no salt yet; any will do to find what the file itself repeats.
    keys: keyMaker(ledger?.salt ?? '0'.repeat(64)),
    clock,
    suppressed: ledger ? suppressedLearners(ledger) : new Set<string>(),
    corrections: ledger ? corrections(ledger) : [],
  };
  for await (const step of prepareRows(opened, preparation, 0)) {
    if (step.kind === 'undecided') throw new Error('a plan to check must have a profile of the whole drop');
    for (const row of step.batch?.rows ?? []) {
      if (row.kind !== 'record') {
        dispositions[row.kind] += 1;
        if (row.kind === 'invalid' || row.kind === 'skipped') {
          for (const issue of row.issues)
            if (issues.length < limit) issues.push({ line: row.line, ...issue });
        }
        continue;
      }
      const { key, content } = row.keys;
      const revisions = seen.of(key) ?? (ledger ? revisionsOf(ledger, row.keys) : []);
      const repeats = ledger ? formerRows(ledger, row, operation.kind).repeats : null;
      const judgement: Judgement =
        repeats === null
          ? judge(content, revisions, operation.kind)
          : { disposition: 'duplicate', of: repeats };
      dispositions[judgement.disposition] += 1;
      if (judgement.disposition === 'duplicate') continue;
      seen.add(key, revisions, { submissionId: 0, revision: judgement.revision, content });
      if (records.length >= limit) continue;
      const record: NormalisedRecord = { fields: JSON.parse(row.record) as NormalisedRecord['fields'] };
      records.push({ line: row.line, key, request: operation.request(record) });
    }
  }
  return { dispositions, issues, records };
}

/**
 * The revisions of the file's own keys so far. Nearly every key has one revision, its first: a million of those are kept
 * as two texts each.
 */
function seenRevisions() {
  const first = new Map<string, string>();
  const several = new Map<string, readonly CheckedRevision[]>();
  return {
    of: (key: string): readonly CheckedRevision[] | undefined => {
      const content = first.get(key);
      return content === undefined ? several.get(key) : [{ submissionId: 0, revision: 1, content }];
    },
    add: (key: string, before: readonly CheckedRevision[], revision: CheckedRevision): void => {
      if (before.length === 0) {
        first.set(key, revision.content);
        return;
      }
      first.delete(key);
      several.set(key, [...before, revision]);
    },
  };
}
