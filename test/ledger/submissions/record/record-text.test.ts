import { describe, expect, it } from 'vitest';
import { occurrenceDigits } from '../../../../src/ledger/submissions/record/occurrence.js';
import {
  fieldsIn,
  placeIn,
  recordText,
  toldRecord,
} from '../../../../src/ledger/submissions/record/record-text.js';
import { submitCompletion } from '../../../../src/operations/submit-completion.js';

type Fields = Record<string, string | number | boolean>;
const textOf = (fields: Fields) => recordText(submitCompletion, { fields });
const TIME = '2026-01-10T09:00:00.000Z';

describe('recordText', () => {
  it('keeps choices and names in the shape, the time in the key, and other values by their place, those sent first', () => {
    const { shape, values, sent } = textOf({
      'content-title': 'A',
      percentile: 0,
      'content-id': 'C',
      'user-id': 'u',
      'content-type': 'course',
      'completed-at': TIME,
    });
    expect(JSON.parse(shape)).toEqual({
      'user-id': null,
      'content-id': null,
      'content-type': 'course',
      'completed-at': { in: 'key' },
      percentile: null,
      'content-title': null,
    });
    expect(values).toBe('["u","C",0,"A"]');
    expect(sent).toBe('{"content-type":"course"}["u","C",0]');
  });

  it('has null for what is missing before another value, and nothing for what is missing at the end', () => {
    expect(textOf({ 'content-id': 'C', 'content-title': 'A' }).values).toBe('[null,"C",null,"A"]');
    expect(textOf({ 'user-id': 'u' }).values).toBe('["u"]');
    expect(textOf({}).values).toBe('[]');
  });

  it('says of two records that the same is sent where only what is not sent differs', () => {
    const { sent } = textOf({ 'user-id': 'u' });
    expect(textOf({ 'user-id': 'u', 'content-title': 'A' }).sent).toBe(sent);
    expect(textOf({ 'user-id': 'u', 'content-type': 'course' }).sent).not.toBe(sent);
  });
});

describe('fieldsIn', () => {
  it.each<[string, Fields]>([
    ['fields that are all sent', { 'user-id': 'Zoë "Z" 🎓', percentile: 1.5, 'completed-at': TIME }],
    ['fields of which none is sent', { 'content-title': '\\ "\n', 'completed-at': TIME }],
    ['choices', { 'content-type': 'Video', 'user-identifier-type': 'Email', 'completed-at': TIME }],
    ['a time before 1970', { 'completed-at': '1901-02-03T04:05:06.789Z' }],
  ])('gives back %s', (_, fields) => {
    const { shape, values } = textOf(fields);
    expect(fieldsIn(toldRecord(shape, occurrenceDigits(String(fields['completed-at'])), values))).toEqual(
      fields,
    );
  });

  it('reads a record whose operation has got a field since, at the end or anywhere', () => {
    const told = toldRecord('{"a":null,"b":"choice","c":null}', occurrenceDigits(null), '[1]');
    expect(fieldsIn(told)).toEqual({ a: 1, b: 'choice' });
  });

  it.each(['{"a":null}\n000000000000[1', '{"a":null}\n000000000000{}', '{"a":null}\n000000000000'])(
    'gives null for what nobody can read: %s',
    (told) => {
      expect(fieldsIn(told)).toBeNull();
    },
  );

  it('gives null for what was erased', () => {
    expect(fieldsIn(null)).toBeNull();
  });
});

describe('placeIn', () => {
  it('counts only fields whose values stand in the record', () => {
    const { shape } = textOf({ 'content-type': 'course' });
    expect(placeIn(shape, 'content-id')).toBe(1);
    expect(placeIn(shape, 'percentile')).toBe(2);
    expect(placeIn(shape, 'content-type')).toBeNull();
    expect(placeIn(shape, 'completed-at')).toBeNull();
  });
});
