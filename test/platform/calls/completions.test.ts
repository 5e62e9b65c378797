import { describe, expect, test } from 'vitest';
import { KNOWN_CALLS } from '../../../src/config/platform-calls.js';
import { postCompletion } from '../../../src/platform/calls/call-of.js';

const FIELDS = {
  percentile: 85.5,
  'completed-at': '2024-03-01T10:30:00.000Z',
  'content-title': 'First aid',
  'content-type': 'course',
  'content-id-type': 'ExternalId',
  'content-id': 'C1',
  'user-identifier-type': 'Email',
  'user-id': 'ann@example.com',
} as const;

describe('a completion', () => {
  test('is sent as the specification shows it, without fields that are for people', () => {
    const request = postCompletion.request([{ fields: FIELDS }], KNOWN_CALLS);
    expect(request).toMatchObject({ method: 'POST', path: '/api/v2/completions' });
    expect(JSON.stringify(request.body)).toBe(
      '{"data":{"type":"completions","attributes":{"user-id":"ann@example.com","user-identifier-type":"Email",' +
        '"content-id":"C1","content-id-type":"ExternalId","content-type":"course",' +
        '"completed-at":"2024-03-01T10:30:00.000Z","percentile":85.5}}}',
    );
  });

  test('sends a score of zero and leaves an absent one out', () => {
    const { percentile: _, ...unscored } = FIELDS;
    expect(
      JSON.stringify(postCompletion.request([{ fields: { ...FIELDS, percentile: 0 } }], KNOWN_CALLS)),
    ).toContain('"percentile":0');
    expect(JSON.stringify(postCompletion.request([{ fields: unscored }], KNOWN_CALLS))).not.toContain(
      'percentile',
    );
  });
});
