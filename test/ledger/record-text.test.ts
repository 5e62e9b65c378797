import { describe, expect, it } from 'vitest';
import { recordText } from '../../src/ledger/record-text.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';

const textOf = (fields: Record<string, string | number | boolean>) =>
  recordText(submitCompletion, { fields });

describe('recordText', () => {
  it('writes the fields in the order of the operation, those that are sent first', () => {
    const { all, sent } = textOf({ 'content-title': 'A', percentile: 0, 'content-id': 'C', 'user-id': 'u' });
    expect(all).toBe('{"user-id":"u","content-id":"C","percentile":0,"content-title":"A"}');
    expect(sent).toBe('{"user-id":"u","content-id":"C","percentile":0}');
  });

  it.each([
    ['fields that are all sent', { 'user-id': 'Zoë "Z" 🎓', percentile: 1.5 }],
    ['fields of which none is sent', { 'content-title': '\\ "' }],
    ['no fields', {}],
  ])('is JSON of %s', (_, fields) => {
    expect(JSON.parse(textOf(fields).all)).toEqual(fields);
  });
});
