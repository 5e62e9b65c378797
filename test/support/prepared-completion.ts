import type { FieldValue } from '../../src/domain/record.js';
import type { StagingPlan } from '../../src/ledger/drops/begin-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { PreparedRow } from '../../src/ledger/submissions/staging/read-rows.js';
import { keyMaker } from '../../src/operations/keys.js';
import { preparedRecord } from '../../src/operations/prepared-record.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';

/** The reading of a drop for a test that names its completions alone. */
export const READ_AS_CSV: StagingPlan = {
  format: 'csv',
  sheet: null,
  headerLine: 1,
  header: ['Email'],
  mapping: {},
  settings: 's',
  sheetsLeft: [],
  zones: [],
};

/** A row ready to be written for a completion with sensible defaults. */
export function preparedCompletion(
  ledger: Ledger,
  completion: Completion,
  line: number,
  environment = 'main',
): PreparedRow & { kind: 'record' } {
  const fields: Record<string, FieldValue> = {
    'user-id': completion.user ?? 'ada@example.com',
    'user-identifier-type': 'Email',
    'content-id': completion.content ?? 'C-1',
    'content-id-type': 'ExternalId',
    'content-type': 'course',
    'completed-at': completion.at ?? '2026-01-10T09:00:00.000Z',
    ...(completion.percentile === undefined ? {} : { percentile: completion.percentile }),
  };
  const target = { operation: submitCompletion, environment };
  return { kind: 'record', line, ...preparedRecord(target, keyMaker(ledger.salt), { fields }) };
}

/** A test's overrides of a completion; the rest has sensible defaults. */
export interface Completion {
  readonly user?: string;
  readonly content?: string;
  readonly at?: string;
  readonly percentile?: number;
}
