import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readEmail } from '../../../src/normalise/values/email.js';

const read = (cell: Cell) => readEmail(cell, { column: 'Email' });

describe('an address is read', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['ann+courses@example.com', 'ann+courses@example.com'],
    ["o'brien@example.ie", "o'brien@example.ie"],
    [' ann@example.com\u00a0', 'ann@example.com'],
    ['\ufeffann@example.com\u200b', 'ann@example.com'],
    ['ann@example.com\n', 'ann@example.com'],
    ['mailto:ann@example.com', 'ann@example.com'],
    ['Ann Lee <ann@example.com>', 'ann@example.com'],
    ['"Lee, Ann" <Ann@Example.com>', 'ann@example.com'],
    ['<mailto:ann@example.com>', 'ann@example.com'],
    ["'ann@example.com'", 'ann@example.com'],
    ["'ann@example.com", 'ann@example.com'],
    ['ann@example.com;', 'ann@example.com'],
    ['="ann@example.com"', 'ann@example.com'],
    [' ="Ann Lee <ann@example.com>" ', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    ['jörg@example.de', 'jörg@example.de'],
    ['jo\u0308rg@example.de', 'jörg@example.de'],
    ['太郎@例え.jp', '太郎@xn--r8jz45g.jp'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j as %j', (cell, value) => {
    expect(read(cell)).toEqual({ value });
  });
});

test.each([
  ['\u0438\u0432\u0430\u043d@example.com', '\u0438\u0432\u0430\u043d@example.com'],
  ['ivan@\u043f\u0440\u0438\u043c\u0435\u0440.com', 'ivan@xn--e1afmkfd.com'],
  ['tanaka\u592a\u90ce@example.jp', 'tanaka\u592a\u90ce@example.jp'],
])('letters of any alphabet are fine: %s', (cell, value) => {
  expect(read(cell)).toEqual({ value });
});

describe('a cell without exactly one address is refused with its fault', () => {
  test.each<[Cell, string]>([
    ['ann', 'no @'],
    ['ann@', 'part of it is empty'],
    ['@example.com', 'part of it is empty'],
    ['ann@@example.com', 'more than one @'],
    ['ann@example.com, bob@example.com', 'more than one @'],
    ['ann@example.com;bob@example.com', 'more than one @'],
    ['ann@example.com <bob@example.com>', 'more than one @'],
    ['ann@example.com <ann@example.com>', 'more than one @'],
    ['"ann lee"@example.com', 'a space inside'],
    ['ann lee@example.com', 'a space inside'],
    ['ann@exam ple.com', 'a space inside'],
    ['ann\u200b@example.com', '"\\u200b" is not'],
    ['ann(home)@example.com', '"("'],
    ['.ann@example.com', 'part of it is empty'],
    ['ann.@example.com', 'part of it is empty'],
    ['an..n@example.com', 'part of it is empty'],
    ['ann@example..com', 'part of it is empty'],
    ['ann@example.com.', 'part of it is empty'],
    ['ann@localhost', 'no dot'],
    ['ann@[127.0.0.1]', '"["'],
    ['ann@127.0.0.1', 'no domain'],
    ['ann@１２７.0.0.1', 'no domain'],
    ['ann@-example.com', 'no domain'],
    ['ann@example-.com', 'no domain'],
    ['ann@ab--cd.com', 'no domain'],
    ['ann@xn--0.com', 'no domain'],
    ['ann@exam%41ple.com', '"%"'],
    ['ann@exam_ple.com', '"_"'],
    ['ann@example.c', 'no domain'],
    [`${'a'.repeat(65)}@example.com`, 'too long'],
    [`${'ö'.repeat(33)}@example.com`, 'too long'],
    [`ann@${'a'.repeat(64)}.com`, 'no domain'],
    [`${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(10)}.com`, 'too long'],
    ['x'.repeat(100_000), 'too long'],
    [42, 'not text'],
    [true, 'not text'],
    [{ error: '#N/A' }, 'not text'],
  ])('%j: %s', (cell, fault) => {
    const reading = read(cell);
    expect(reading).toMatchObject({ issue: { code: 'email-invalid', column: 'Email' } });
    expect('issue' in reading && reading.issue.message).toContain(fault);
  });
});

test.each([null, '', ' \u00a0', '-', 'n/a', 'NULL'])('%j is refused as an address', (cell) => {
  expect(read(cell)).toEqual({ value: null });
});

test('reading an address again gives the same address', () => {
  const part = fc.string({ unit: fc.constantFrom(...'aAöÜßİΣ.-+\'<>@,; "１。xn\u0308\u200d') });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.tuple(part, part).map(([a, b]) => `${a}a@${b}b.com`),
      ),
      (text) => {
        const first = read(text);
        if ('issue' in first || first.value === null) return;
        expect(read(first.value)).toEqual(first);
      },
    ),
    { numRuns: 2_000 },
  );
});
