import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteCourse } from '../../src/operations/course.js';
import { keyInDrop, keyMaker, keyText, ZERO_HASH } from '../../src/operations/keys.js';
import { preparedRecord } from '../../src/operations/prepared-record.js';
import { createGroup, type OPERATIONS } from '../../src/operations/registry.js';
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
const target = { operation: submitCompletion, environment: 'main' };
const keysOf = (changed: object = {}, withSalt = salt) =>
  preparedRecord(target, keyMaker(withSalt), { fields: { ...fields, ...changed } }).keys;

describe('keyMaker', () => {
  it('is SHA-256 of the salt and what is hashed, cut to 64 bits', () => {
    const hashOf = (tuple: unknown) =>
      createHash('sha256')
        .update(salt + JSON.stringify(tuple))
        .digest('hex')
        .slice(0, 16);
    for (const id of ['ada@example.com', 'Zoë 漢字 🎓', '', 'a"b\\c\n']) {
      expect(keyMaker(salt).learner('Email', id)).toBe(hashOf(['learner/3', 'Email', id]));
      const content = { type: 'course', idType: null, id, part: 'P', title: 'T' };
      expect(keyMaker(salt).content(content)).toBe(hashOf(['content/3', 'course', null, id, 'P']));
    }
  });

  it('keeps the key and changes the digest when only the score changes', () => {
    const { digest, ...key } = keysOf({ percentile: 90 });
    expect(keysOf()).toMatchObject(key);
    expect(keysOf().digest).not.toBe(digest);
  });

  it('does not depend on the order of the fields, nor on fields that are not sent', () => {
    const reversed = Object.fromEntries(Object.entries(fields).reverse());
    expect(preparedRecord(target, keyMaker(salt), { fields: reversed }).keys).toEqual(keysOf());
    expect(keysOf({ status: 'completed', 'content-title': 'Safety' })).toEqual(keysOf());
  });

  it('gives another key and another digest for another learner, content or time', () => {
    const others = [
      keysOf(),
      keysOf({ 'user-id': 'bob@example.com' }),
      keysOf({ 'user-identifier-type': 'UserId' }),
      keysOf({ 'content-id': 'C-2' }),
      keysOf({ 'content-id-type': 'Id' }),
      keysOf({ 'content-type': 'Video' }),
      keysOf({ 'completed-at': '2026-01-11T09:00:00.000Z' }),
    ];
    expect(new Set(others.map(keyInDrop)).size).toBe(others.length);
    expect(new Set(others.map(({ digest }) => digest)).size).toBe(others.length);
  });

  it('remembers contents by all that distinguishes them', () => {
    const keys = keyMaker(salt);
    const hashes = ['a', 'b', 'a'].map((part) =>
      keys.content({ type: 'content', idType: null, id: 'C', part, title: null }),
    );
    expect(hashes[0]).toBe(hashes[2]);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('says nothing to a reader without the salt', () => {
    expect(keyInDrop(keysOf({}, 'f'.repeat(64)))).not.toBe(keyInDrop(keysOf()));
  });
});

describe('the text of a key', () => {
  it('distinguishes learner, content, environment, family of operations and time', () => {
    const { learner, content } = keysOf();
    expect(keyText(target, keysOf())).toBe(
      `${learner}/${content}/main/submit-completion/2026-01-10T09:00:00.000Z`,
    );
    expect(keyText({ ...target, environment: 'test' }, keysOf())).not.toBe(keyText(target, keysOf()));
  });

  it('is without a learner and a time where there is none', () => {
    const { keys } = preparedRecord({ ...target, operation: deleteCourse }, keyMaker(salt), {
      fields: { 'content-id': 'C-1' },
    });
    expect(keyText({ ...target, operation: deleteCourse }, keys)).toBe(
      `${ZERO_HASH}/${keys.content}/main/course/`,
    );
  });

  it('is of its family: a course and a group of one name are two things', () => {
    const of = (operation: (typeof OPERATIONS)[number], name: string) =>
      preparedRecord({ ...target, operation }, keyMaker(salt), { fields: { [name]: 'X' } }).keys.content;
    expect(of(deleteCourse, 'content-id')).not.toBe(of(createGroup, 'name'));
  });
});
