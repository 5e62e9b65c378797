import type { PlatformCalls } from '../../config/platform-calls.js';
import type { NormalisedRecord } from '../../domain/record.js';
import { alterationOf } from '../../domain/text/alteration.js';
import { callOf } from '../calls/call-of.js';
import { parseJson } from './response.js';

/**
 * The record's texts that the answer to its accepted request shows otherwise than they were sent (specification §2.5). Only
 * texts that the answer repeats can be compared; the specification doesn't show most of an answer. Both versions are personal.
 */
export function alteredTexts(
  operation: string,
  calls: PlatformCalls,
  { fields }: NormalisedRecord,
  body: string | null,
) {
  const { texts } = callOf(operation);
  if (texts === undefined || body === null) return [];
  const { attributes } = calls[texts.call];
  const json = parseJson(body) as { data?: { attributes?: Record<string, unknown> } } | null | undefined;
  return texts.fields.flatMap((field) => {
    const sent = fields[field];
    const returned = json?.data?.attributes?.[attributes[field] ?? field];
    if (typeof sent !== 'string' || typeof returned !== 'string') return [];
    const kind = alterationOf(sent, returned);
    return kind === null ? [] : [{ field, kind, sent, returned }];
  });
}
