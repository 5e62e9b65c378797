import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { msFromIso } from '../../src/domain/clock.js';
import type { Cell, Row } from '../../src/domain/row.js';
import { createFieldReader } from '../../src/normalise/field-reader.js';
import { createRowNormaliser } from '../../src/normalise/normalise-row.js';
import { NO_PROFILE } from '../../src/normalise/profile/profile.js';
import { parseDateText, parseIsoTime } from '../../src/normalise/time/parse-date-text.js';
import { isPlainAddress, readEmail } from '../../src/normalise/values/email.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { clockAt, headerOf, profileDrop, profileSample, rowsOf, sourceWith } from '../normalise/builders.js';
import { samples } from '../support/samples.js';

const PIECES = [
  ...[
    '2024',
    '03',
    '13',
    '24',
    '-',
    '/',
    '.',
    ':',
    ' ',
    'T',
    '10:30',
    '02:30',
    'Z',
    '+02:00',
    'PM',
    'EST',
    'März',
    'listopad',
  ],
  ...[
    'Europe/Berlin',
    'W. Europe Standard Time',
    '<',
    '>',
    '@',
    'ann',
    'EXAMPLE.com',
    'mailto:',
    'bücher.de',
    ';',
    "'",
    '="',
    '"',
  ],
  ...[
    '0',
    '00',
    '1',
    '85',
    ',5',
    '%',
    '/10',
    'e+11',
    'n/a',
    'Completed',
    'course',
    'External Id',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\ud83d',
  ],
];

/** Cells that come near to what files hold, and cells that don't. */
const cell: fc.Arbitrary<Cell> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((pieces) => pieces.join('')),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      '03/04/2024',
      '13.03.24',
      '2024-10-27 02:30',
      '0.85',
      0.85,
      '9/10',
      'Total',
      'Exempt',
      'ann@x.de; bob@x.de',
    ),
  },
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer({ min: 0, max: 100 }),
  fc.boolean(),
  fc.constant(null),
  fc.record({ percent: fc.double() }),
  fc.record({
    date: fc.oneof(fc.string(), fc.constantFrom('2024-03-01T10:30:00.000', '1900-02-29T00:00:00.000')),
  }),
  fc.record({ error: fc.constantFrom('#N/A', '#REF!') }),
);

describe('for any cells', () => {
  const HEADER = [
    'Email',
    'Course ID',
    'Completed on',
    'Score',
    'Status',
    'Course Title',
    'COMPL_DTE_TIMEZONE',
  ];
  const GOOD = ['ann@example.com', 'C1', '2024-03-13 10:30', 85, 'Completed', 'A course', 'Asia/Tokyo'];
  const row = fc
    .tuple(
      ...GOOD.map((good) => fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, cell)),
      fc.option(cell),
    )
    .map((cells) => cells.slice(0, cells.at(-1) === null ? GOOD.length : undefined));
  const settings = fc.record(
    {
      timeZone: fc.constantFrom('Europe/Berlin', 'Pacific/Apia'),
      dateOrder: fc.constantFrom('day-first', 'month-first', 'year-first'),
      datePatterns: fc.subarray([
        'dd/MM/yyyy HH:mm',
        'yyyy-MM-dd',
        'yyyyMM',
        'd.M.yy',
        'epoch-seconds',
        'excel-serial',
      ]),
      languages: fc.constantFrom(['de'], ['pl', 'hr']),
      twoDigitYears: fc.constant(1970),
      zoneNames: fc.constant({ EST: 'America/New_York' }),
      earliest: fc.constantFrom('1900-01-01', '2020-01-01'),
      dateOnly: fc.constantFrom('start', 'noon', 'end'),
      overlap: fc.constantFrom('reject', 'earlier', 'later'),
      scale: fc.constantFrom('0-1', '0-100', '0-10', '1-5'),
      decimalMark: fc.constantFrom('.', ','),
      defaults: fc.constantFrom({ percentile: '1' }, { 'completed-at': '13.03.24', percentile: '0,5' }),
    },
    { requiredKeys: [] },
  );

  test('and any settings of the source, a row has one end and nothing is thrown', () => {
    const ends = new Set<string>();
    fc.assert(
      fc.property(settings, fc.boolean(), fc.array(row, { maxLength: 12 }), (settings, isWhole, rows) => {
        const source = sourceWith(settings.twoDigitYears ? settings : { ...settings, datePatterns: [] });
        const profile = { ...NO_PROFILE, isWhole };
        const clock = clockAt('2024-12-31T00:00:00Z');
        const normalise = createRowNormaliser(
          submitCompletion,
          source,
          headerOf([HEADER], source),
          profile,
          clock,
        );
        rows.forEach((cells, index) => {
          const row = normalise({ line: index + 2, cells });
          ends.add(row.disposition);
          if ('issues' in row) expect(row.issues.length).toBeGreaterThan(0);
          if (isWhole) expect(row.disposition).not.toBe('undecided');
        });
      }),
      { numRuns: samples(1_800) },
    );
    expect([...ends]).toEqual(expect.arrayContaining(['invalid', 'record', 'skipped', 'undecided']));
  });

  const mapped = Object.fromEntries(
    submitCompletion.fields.map(({ name }) => [
      name,
      { index: 0, header: 'Column', zone: null, why: 'alias' as const },
    ]),
  );
  const header = { line: 1, columns: ['Column'], match: { ...headerOf([HEADER]).match, mapped } };
  const facts = { header, profile: NO_PROFILE, nowMs: msFromIso('2024-12-31T00:00:00Z') };
  const fields = submitCompletion.fields.filter(({ kind }) => !['status', 'zone', 'time'].includes(kind));

  test.each(fields.flatMap((field) => ['Email', 'UserId'].map((type) => [field.name, type, field] as const)))(
    'what %s was read as (with %s) is read as the same again',
    (_, type, field) => {
      // A score is written as one of 100, so that its scale must be known when it is read again.
      const source = sourceWith({
        timeZone: 'Europe/Berlin',
        scale: '0-100',
        overlap: 'later',
        dateOnly: 'noon',
      });
      const read = createFieldReader(field, { ...facts, operation: submitCompletion, source });
      fc.assert(
        fc.property(cell, (value) => {
          const first = read(value, { 'user-identifier-type': type });
          if ('issue' in first || first.value === null) return;
          expect(read(first.value, { 'user-identifier-type': type })).toEqual(first);
        }),
        { numRuns: samples(3_000) },
      );
    },
  );
});

describe('a fast path has the result of the full one', () => {
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
      { numRuns: samples(20_000) },
    );
    expect(plain).toBeGreaterThan(samples(200));
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
      { numRuns: samples(20_000) },
    );
    expect(read).toBeGreaterThan(samples(2_000));
  });
});

test('where the first rows settle the profile and no row is undecided, the profile of the whole says the same', async () => {
  const HEADER = ['Email', 'Course ID', 'Completed on', 'Score'];
  const header = headerOf([HEADER]);
  const source = sourceWith({ timeZone: 'UTC' });
  const clock = clockAt('2024-12-31T00:00:00Z');
  const dates = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('2024-03-04', '4 March 2024', 'soon') },
    fc.constantFrom('03/04/2024', '13/04/2024', '04/13/2024', '03/03/2024'),
  );
  const scores = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom<Cell>(85, '85,5', '0', '85%', null) },
    fc.constantFrom<Cell>(1, '0.85', 0.5, 850),
  );
  const drop = fc.array(fc.tuple(fc.constant('ann@example.com'), fc.constant('C1'), dates, scores), {
    minLength: 1,
    maxLength: 12,
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(drop, async (lines) => {
      const rows = rowsOf([HEADER, ...lines]);
      const sampled = profileSample(rows.slice(0, 4), header, submitCompletion, source);
      if (sampled === null) return;
      const normalised = rows.map(createRowNormaliser(submitCompletion, source, header, sampled, clock));
      if (normalised.some(({ disposition }) => disposition === 'undecided')) return;
      decided += 1;
      const whole = await profileDrop(oneBatch(rows), header, submitCompletion, source);
      expect(whole.issues).toEqual([]);
      expect(rows.map(createRowNormaliser(submitCompletion, source, header, whole, clock))).toEqual(
        normalised,
      );
    }),
    { numRuns: samples(3_000) },
  );
  expect(decided).toBeGreaterThan(samples(300));
});

async function* oneBatch(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}
