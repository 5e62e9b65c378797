import { expect, it } from 'vitest';
import { isKnownLearner } from '../../src/sandbox/world.js';

it.each([
  [{ unknown: ['bob@example.org'] }, 'Email', 'BOB@example.org', false],
  [{ unknown: ['bob@example.org'] }, 'Email', 'ann@example.org', true],
  [{ unknown: ['e17'] }, 'EmployeeId', 'E17', true],
  [{ unknown: ['e17'] }, 'EmployeeId', 'e17', false],
  [{ unknownContaining: 'unknown' }, 'Email', 'Unknown.17@example.org', false],
  [{ unknownContaining: 'unknown' }, 'Email', 'ann@example.org', true],
] as const)('by the rule %j the %s %s is known: %j', (rule, type, id, known) => {
  expect(isKnownLearner(rule, type, id)).toBe(known);
});
