import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyMaker, occurredAt, slotOf } from '../../../../src/ledger/submissions/record/keys.js';
import { deleteCourse } from '../../../../src/operations/delete-course.js';
import { submitCompletion } from '../../../../src/operations/submit-completion.js';

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
  it('is SHA-256 of the salt and what is hashed, cut to 64 bits', () => {
    for (const id of ['ada@example.com', 'Zoë 漢字 🎓', '']) {
      const expected = createHash('sha256')
        .update(salt + JSON.stringify(['learner/2', 'Email', id]))
        .digest('hex');
      expect(keyMaker(salt).learner('Email', id)).toBe(expected.slice(0, 16));
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
    const text = { shape: '{"a":null}', values: '[1,2]', sent: '[1]' };
    const contentOf = (given: typeof text) =>
      keyMaker(salt).record(submitCompletion, 'main', { fields }, given).content;
    expect(contentOf({ ...text, values: '[1,3]' })).toBe(contentOf(text));
    expect(contentOf({ ...text, sent: '[2]' })).not.toBe(contentOf(text));
  });

  it('begins all keys of one learner and content alike, and has them in the order of their times', () => {
    const times = [
      '0001-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '2026-01-11T09:00:00.001Z',
    ];
    const keys = times.map((at) => keysOf({ 'completed-at': at }).key);
    expect(keys).toEqual(keys.toSorted());
    expect(keys.map(slotOf)).toEqual(keys.map(() => slotOf(keysOf().key)));
    expect(keys.map(occurredAt)).toEqual(times);
  });

  it('begins the keys of one learner with the hash of the learner', () => {
    const { key, learner } = keysOf({ 'content-id': 'C-2' });
    expect(key.startsWith(learner ?? '-')).toBe(true);
    expect(learner).toBe(keysOf().learner);
  });

  it('has no time, which comes before all times, where records are ordered by arrival', () => {
    const { key } = keyMaker(salt).record(deleteCourse, 'main', { fields: { 'content-id': 'C-1' } });
    expect(occurredAt(key)).toBeNull();
    expect(key.endsWith('0'.repeat(12))).toBe(true);
  });

  it('says nothing to a reader without the salt', () => {
    expect(keysOf({}, 'main', 'f'.repeat(64)).key).not.toBe(keysOf().key);
  });
});
