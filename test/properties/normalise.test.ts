import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoFromMs, msFromIso } from '../../src/domain/clock.js';
import { readEmail } from '../../src/normalise/email.js';
import { parseDateText } from '../../src/normalise/parse-date-text.js';
import { parseIsoTime } from '../../src/normalise/parse-iso-time.js';
import { isPlainAddress } from '../../src/normalise/plain-address.js';
import { utcText } from '../../src/normalise/utc-text.js';

describe('a short cut says what the long way says', () => {
  const usual = fc.string({ unit: fc.constantFrom(...'abcz09'), minLength: 1, maxLength: 5 });
  const odd = fc.string({ unit: fc.constantFrom(..."ab9.-_+ÄA@ '"), maxLength: 5 });
  const part = fc
    .array(fc.oneof({ weight: 5, arbitrary: usual }, fc.constantFrom('.', '-', '+'), odd), { maxLength: 4 })
    .map((pieces) => pieces.join(''));
  const domain = fc
    .tuple(part, fc.oneof(part, fc.constantFrom('com', 'c', 'co2', 'xn--p1ai', 'ab--c.com', 'a--b.com')))
    .map((pieces) => pieces.join('.'));

  test('of e-mail addresses', () => {
    let plain = 0;
    fc.assert(
      fc.property(part, domain, (local, host) => {
        const address = `${local}@${host}`;
        if (!isPlainAddress(address)) return;
        plain += 1;
        // In angle brackets it is no plain address and is read by the rules.
        expect(readEmail(`<${address}>`, { column: 'Email' })).toEqual({ value: address });
        expect(readEmail(address, { column: 'Email' })).toEqual({ value: address });
      }),
      { numRuns: 20_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  test('of ISO times', () => {
    const number = (width: number, max: number) =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(width, '0'));
    const text = fc
      .tuple(
        number(4, 9999),
        number(2, 14),
        number(2, 33),
        fc.constantFrom('T', ' ', 't', '  ', ''),
        number(2, 25),
        number(2, 61),
        fc.option(number(2, 61)),
        fc.option(fc.string({ unit: fc.constantFrom(...'0159'), minLength: 1, maxLength: 9 })),
        fc.constantFrom('', 'Z', ' Z', '+02:00', 'x'),
        fc.constantFrom(10, 16, 30),
      )
      .map(([year, month, day, between, hour, minute, second, fraction, zone, length]) => {
        const seconds = second === null ? '' : `:${second}${fraction === null ? '' : `.${fraction}`}`;
        return `${year}-${month}-${day}${between}${hour}:${minute}${seconds}${zone}`.slice(0, length);
      });
    let read = 0;
    fc.assert(
      fc.property(text, (iso) => {
        const short = parseIsoTime(iso);
        if (short === null) return;
        read += 1;
        // What shows nothing leads around the short cut and changes nothing.
        expect(parseDateText(`\u200b${iso}`)).toEqual(short);
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(2_000);
  });

  test('of writing a time', () => {
    const moment = fc.integer({
      min: msFromIso('0000-01-01T00:00:00Z'),
      max: msFromIso('9999-12-31T23:59:59Z'),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          moment,
          moment.map((ms) => ms - (ms % 1000)),
        ),
        (ms) => {
          expect(utcText(ms)).toBe(isoFromMs(ms));
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
