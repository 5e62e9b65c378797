import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyMaker } from '../../src/ledger/keys.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';

const salt = '0123456789abcdef'.repeat(4);
const fields = {
  'user-id': 'ada@example.com',
  'user-identifier-type': 'Email',
  'content-id': 'C-1',
  'content-id-type': 'ExternalId',
  'content-type': 'course',
  'completed-at': '2026-01-10T09:00:00.000Z',
  percentile: 80,
};
const keysOf = (changed: object = {}, environment = 'main', withSalt = salt) =>
  keyMaker(withSalt).record(submitCompletion, environment, { fields: { ...fields, ...changed } });

describe('keyMaker', () => {
  it('is HMAC-SHA256 with the salt, cut to 128 bits', () => {
    for (const id of ['ada@example.com', 'Zoë 漢字 🎓', '']) {
      const expected = createHmac('sha256', salt)
        .update(JSON.stringify(['learner/1', 'Email', id]))
        .digest('hex');
      expect(keyMaker(salt).learner('Email', id)).toBe(expected.slice(0, 32));
    }
  });

  it('keeps the key and changes the content when only the score changes', () => {
    const corrected = keysOf({ percentile: 90 });
    expect(corrected.key).toBe(keysOf().key);
    expect(corrected.content).not.toBe(keysOf().content);
  });

  it('does not depend on the order of the fields, nor on fields that are not sent', () => {
    const reversed = Object.fromEntries(Object.entries(fields).reverse());
    expect(keyMaker(salt).record(submitCompletion, 'main', { fields: reversed })).toEqual(keysOf());
    expect(keysOf({ status: 'completed', 'content-title': 'Safety' })).toEqual(keysOf());
  });

  it('gives another key for another learner, content, time or environment', () => {
    const keys = [
      keysOf(),
      keysOf({ 'user-id': 'bob@example.com' }),
      keysOf({ 'content-id': 'C-2' }),
      keysOf({ 'completed-at': '2026-01-11T09:00:00.000Z' }),
      keysOf({}, 'test'),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('takes the content from what is sent, so that a new title is no correction', () => {
    const text = { all: '{"a":1,"b":2}', sent: '{"a":1}' };
    const contentOf = (given: typeof text) =>
      keyMaker(salt).record(submitCompletion, 'main', { fields }, given).content;
    expect(contentOf({ ...text, all: '{"a":1,"b":3}' })).toBe(contentOf(text));
    expect(contentOf({ ...text, sent: '{"a":2}' })).not.toBe(contentOf(text));
  });

  it('puts two times of one learner and content into one slot', () => {
    expect(keysOf({ 'completed-at': '2026-01-11T09:00:00.000Z' }).slot).toBe(keysOf().slot);
  });

  it('says nothing to a reader without the salt', () => {
    expect(keysOf({}, 'main', 'f'.repeat(64)).key).not.toBe(keysOf().key);
  });
});
