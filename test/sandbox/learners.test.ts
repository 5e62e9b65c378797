import { expect, it } from 'vitest';
import { isKnownLearner } from '../../src/sandbox/learners.js';

it.each([
  ['all', 'Email', 'anybody', true],
  [{ unknown: ['bob@example.org'] }, 'Email', 'BOB@example.org', false],
  [{ unknown: ['bob@example.org'] }, 'Email', 'ann@example.org', true],
  [{ unknown: ['e17'] }, 'EmployeeId', 'E17', true],
  [{ unknown: ['e17'] }, 'EmployeeId', 'e17', false],
  [{ unknown: [{ type: 'EmployeeId', id: '17' }] }, 'UserId', '17', true],
  [{ known: ['ann@example.org'] }, 'Email', 'Ann@Example.org', true],
  [{ known: ['ann@example.org'] }, 'Email', 'bob@example.org', false],
  [{ known: [{ type: 'AliasEmail', id: 'Ann@x.org' }] }, 'AliasEmail', 'ann@x.org', true],
  [{ unknownContaining: 'unknown' }, 'Email', 'Unknown.17@example.org', false],
  [{ unknownContaining: 'unknown' }, 'Email', 'ann@example.org', true],
] as const)('by the rule %j the %s %s is known: %j', (rule, type, id, known) => {
  expect(isKnownLearner(rule, type, id)).toBe(known);
});
