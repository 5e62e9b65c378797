import type { CallShape } from '../../config/platform-calls.js';
import type { FieldValue } from '../../domain/record.js';

/** A body in the envelope of specification §2, with its attributes under the platform's names. */
export function callBody(
  { type, attributes }: Pick<CallShape, 'type' | 'attributes'>,
  fields: Readonly<Record<string, FieldValue | undefined>>,
): unknown {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    data: {
      type,
      attributes: Object.fromEntries(named.map(([name, value]) => [attributes[name] ?? name, value])),
    },
  };
}
