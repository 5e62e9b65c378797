import { describe, expect, it } from 'vitest';
import { fieldsIn } from '../../src/ledger/submissions/record/kept-record.js';
import { createCourse } from '../../src/operations/course.js';
import { keyMaker } from '../../src/operations/keys.js';
import type { Operation } from '../../src/operations/operation.js';
import { preparedRecord } from '../../src/operations/prepared-record.js';
import { recordOf, recordText } from '../../src/operations/record-text.js';
import { addSkills } from '../../src/operations/relate-skills.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';

type Fields = Record<string, string | number | boolean>;

const COMPLETION: Fields = {
  'user-id': 'u',
  'user-identifier-type': 'UserId',
  'content-id': 'C',
  'content-id-type': 'ExternalId',
  'content-type': 'course',
  'completed-at': '2026-01-10T09:00:00.000Z',
};

describe('recordText', () => {
  it('has the sent fields without a column of their own, by name, in one order', () => {
    expect(recordText(submitCompletion, { fields: { percentile: 85.5, ...COMPLETION } })).toBe(
      '{"percentile":85.5}',
    );
    expect(recordText(submitCompletion, { fields: COMPLETION })).toBe('{}');
    const course = { obsolete: false, description: 'a "b"\n', title: 'T', 'content-id': 'C' };
    expect(recordText(createCourse, { fields: course })).toBe(
      '{"title":"T","description":"a \\"b\\"\\n","obsolete":false}',
    );
  });
});

describe('recordOf', () => {
  it.each<[string, Operation, Fields]>([
    ['a completion', submitCompletion, { ...COMPLETION, percentile: 0 }],
    ['a title, which is not sent', submitCompletion, { ...COMPLETION, 'content-title': '\\ "\n' }],
    [
      'letters of any alphabet',
      submitCompletion,
      { ...COMPLETION, 'user-id': 'Zoë "Z" 🎓', 'content-id': '漢' },
    ],
    ['a time before 1970', submitCompletion, { ...COMPLETION, 'completed-at': '1901-02-03T04:05:06.789Z' }],
    ['a skill of a content', addSkills, { 'content-id': 'C', skill: 'S' }],
    ['a course', createCourse, { 'content-id': 'C', title: 'T', obsolete: true }],
  ])('gives back %s', (_, operation, fields) => {
    const prepared = preparedRecord({ operation, environment: 'main' }, keyMaker('0'.repeat(64)), { fields });
    expect(recordOf(operation, prepared)).toEqual({ fields });
  });
});

describe('fieldsIn', () => {
  const stored = (learner: string | null, record: string) =>
    JSON.stringify([
      'submit-completion',
      'UserId',
      learner,
      'course',
      'ExternalId',
      'C',
      null,
      null,
      COMPLETION['completed-at'],
      record,
    ]);

  it('reads a record as the ledger returns it', () => {
    expect(fieldsIn(stored('u', '{"percentile":80}'))).toEqual({ ...COMPLETION, percentile: 80 });
  });

  it.each(['{', '[]', '5', 'null'])('gives null for unreadable text: %s', (record) => {
    expect(fieldsIn(stored('u', record))).toBeNull();
  });

  it('gives no title to a record that sends none, whatever the content is called', () => {
    const course = ['update-course', '', null, 'course', null, 'C', null, 'Called', '', '{"obsolete":true}'];
    expect(fieldsIn(JSON.stringify(course))).toEqual({ 'content-id': 'C', obsolete: true });
  });

  it('gives null for what was erased, its learner among it', () => {
    expect(fieldsIn(null)).toBeNull();
    expect(fieldsIn(stored(null, '{}'))).toBeNull();
  });
});
