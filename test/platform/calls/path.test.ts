import { describe, expect, it } from 'vitest';
import { KNOWN_CALLS } from '../../../src/config/platform-calls.js';
import type { NormalisedRecord } from '../../../src/domain/record.js';
import { leadsTo } from '../../../src/domain/text/path-segment.js';
import { createFieldReader } from '../../../src/normalise/field-reader.js';
import { matchHeaders } from '../../../src/normalise/mapping/match-headers.js';
import { NO_PROFILE } from '../../../src/normalise/profile/profile.js';
import type { Field, Operation } from '../../../src/operations/operation.js';
import { OPERATIONS } from '../../../src/operations/registry.js';
import { callOf } from '../../../src/platform/calls/call-of.js';
import { sourceWith } from '../../normalise/builders.js';

/** The paths of all requests of a record whose field says this and whose others say something plain. */
function pathsOf(operation: Operation, named: Field, value: string): string[] {
  const fields = Object.fromEntries(
    operation.fields.map(({ name }) => [name, name === named.name ? value : 'x']),
  );
  const record: NormalisedRecord = { fields };
  const call = callOf(operation.name);
  return [call.request([record], KNOWN_CALLS), call.revive?.(record, KNOWN_CALLS)].flatMap(
    (request) => request?.path ?? [],
  );
}

const FIELDS = OPERATIONS.flatMap((operation) => operation.fields.map((field) => ({ operation, field })));
const IN_PATH = FIELDS.filter(({ field }) => field.inPath);

it.each(FIELDS)('$operation.name says whether $field.name is in its path', ({ operation, field }) => {
  const isInPath = pathsOf(operation, field, 'MARK').some((path) => path.includes('MARK'));
  expect(field.inPath ?? false).toBe(isInPath);
});

describe.each(IN_PATH)('$field.name of $operation.name', ({ operation, field }) => {
  const source = sourceWith({});
  const header = { line: 1, columns: [], match: matchHeaders([], operation, source) };
  const read = createFieldReader(field, { operation, source, header, profile: NO_PROFILE, nowMs: 0 });

  it.each(['..', '.', '%2e%2e', '../../../oauth/token', '..\\..', '/', 'a//b', '\ud800'])(
    '%j is an issue of its row',
    (id) => {
      expect(read(id, {})).toMatchObject({ issue: { code: 'identifier-invalid' } });
    },
  );

  it.each(['C-1', 'a/b', 'a?b=c', 'a#b', '....', 'x;y', 'ä', '😀', '100%'])(
    '%j is a segment of its path',
    (id) => {
      expect(read(id, {})).toEqual({ value: id });
      const segments = pathsOf(operation, field, 'C-1').map((path) => path.split('/').length);
      const paths = pathsOf(operation, field, id);
      expect(paths.map((path) => path.split('/').length)).toEqual(segments);
      expect(paths.every((path) => leadsTo('https://platform.example', path))).toBe(true);
    },
  );
});
