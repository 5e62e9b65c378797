import { describe, expect, test } from 'vitest';
import { namesOf } from '../../src/normalise/mapping/header-aliases.js';
import { contentOf, learnerOf, occurrenceOf, requiredField } from '../../src/operations/operation.js';
import { findOperation, OPERATIONS } from '../../src/operations/registry.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';

const FIELDS = {
  'completed-at': '2024-03-01T10:30:00.000Z',
  'content-type': 'course',
  'content-id-type': 'ExternalId',
  'content-id': 'C1',
  'user-identifier-type': 'Email',
  'user-id': 'ann@example.com',
} as const;

describe('a completion', () => {
  test('is about a learner and a content, at one time', () => {
    const record = { fields: FIELDS };
    expect(learnerOf(submitCompletion, record)).toEqual({ type: 'Email', id: 'ann@example.com' });
    expect(contentOf(submitCompletion, record)).toEqual({
      type: 'course',
      idType: 'ExternalId',
      id: 'C1',
      part: null,
      title: null,
    });
    expect(occurrenceOf(submitCompletion, record)).toBe('2024-03-01T10:30:00.000Z');
  });

  test('without a field it needs is a bug, not a request', () => {
    expect(() => requiredField({ fields: {} }, 'user-id')).toThrow('user-id');
  });
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    test('is found by its name', () => {
      expect(findOperation(name)).toBe(operation);
    });

    test('has headers in the form that is compared, and none that means two fields', () => {
      const seen = new Map<string, string>();
      for (const field of operation.fields) {
        for (const { name } of namesOf(field)) {
          expect(name).toMatch(/^[^\sA-Z_]+(?: [^\sA-Z_]+)*$/);
          const key = name.replace(/[ -]/g, '');
          expect(seen.get(key) ?? field.name, `"${name}" of ${field.name}`).toBe(field.name);
          seen.set(key, field.name);
        }
      }
    });

    test('has fallbacks and implied values that its choices allow', () => {
      for (const field of operation.fields) {
        const values = [field.fallback ?? [], ...Object.values(field.implied?.values ?? {})].flat();
        for (const value of values) expect(field.choices).toContain(value);
        const headers = operation.fields.find(({ name }) => name === field.implied?.by)?.headers ?? [];
        for (const kind of Object.keys(field.implied?.values ?? {})) expect(headers).toContain(kind);
      }
    });
  },
);

test('an unknown operation is not found', () => {
  expect(findOperation('submit-completions')).toBeUndefined();
});
