import { alterationOf } from '../domain/alteration.js';
import type { Alteration } from '../ledger/attempts/alterations.js';
import type { Claim } from '../ledger/submissions/claims.js';
import type { PlatformCalls } from '../operations/platform-calls.js';
import { operationNamed } from '../operations/registry.js';

/**
 * The texts that an accepted request's answer shows otherwise than they were sent (specification §2.5). Only what the
 * answer gives back can be compared: most of it isn't shown in the specification.
 */
export function alteredBy(
  { operation, submissions }: Claim,
  calls: PlatformCalls,
  body: string | null,
): readonly Alteration[] {
  const { texts } = operationNamed(operation);
  const [{ submissionId, record }] = submissions;
  if (texts === undefined || body === null) return [];
  const { attributes } = calls[texts.call];
  const returned = attributesIn(body);
  return texts.fields.flatMap((field) => {
    const sent = record.fields[field];
    const back = returned[attributes[field] ?? field];
    if (typeof sent !== 'string' || typeof back !== 'string') return [];
    const kind = alterationOf(sent, back);
    return kind === null ? [] : [{ submissionId, field, kind, sent, returned: back }];
  });
}

function attributesIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const { data } = JSON.parse(body) as { data?: { attributes?: Record<string, unknown> } };
    return data?.attributes ?? {};
  } catch {
    return {};
  }
}
