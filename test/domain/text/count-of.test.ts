import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agreeing, countOf } from '../../../src/domain/text/count-of.js';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));

/** Things that are counted in sentences for people. */
const THINGS =
  'rows|environments|sources|files|submissions|requests|learners|drops|decisions|records|issues|answers|identifiers';

describe('a counted thing', () => {
  it('is one row and not "1 rows"', () => {
    expect([0, 1, 2].map((value) => countOf(value, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
    expect(countOf(1, 'identifier was', 'identifiers were')).toBe('1 identifier was');
    expect(agreeing(1, 'waits', 'wait')).toBe('waits');
  });

  it('is said by countOf wherever a command, a report or upkeep speaks of it', () => {
    const plural = new RegExp(`\\$\\{[^{}]*\\} (?:${THINGS})\\b`);
    const offenders = ['cli', 'report', 'upkeep', 'actions'].flatMap((room) =>
      sourcesIn(room).flatMap((file) =>
        readFileSync(join(SRC, room, file), 'utf8')
          .split('\n')
          .filter((line) => plural.test(line) && !ALWAYS_MANY.some((text) => line.includes(text)))
          .map((line) => `${room}/${file}: ${line.trim()}`),
      ),
    );
    expect(offenders).toEqual([]);
  });
});

/** Of a quota, of a span, of a list: never one. */
const ALWAYS_MANY = [
  'quota.requests} requests',
  'notice.requests} requests',
  'platform.requests} requests',
  'numbers.length} drops',
  'drops.length} drops',
  'others.length + 1} drops',
  'rowsMax} rows',
  'or more rows',
  'event.answered} rows',
  'lasting.length} environments',
];

function sourcesIn(room: string): string[] {
  return readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
}
