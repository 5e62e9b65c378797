import { describe, expect, test } from 'vitest';
import { datePatternMistake } from '../../../src/config/values/date-pattern.js';

test.each([
  'dd/MM/yyyy HH:mm',
  'MMM-dd-yyyy HH:mm:ss zzz',
  'MMM-DD-YYYY HH:mm:ss ZZZ',
  'yyyyMMdd',
  'yyyyMM',
  'd.M.yy',
  'EEEE, d MMMM yyyy, hh:mm a',
  "yyyy-MM-dd'T'HH:mm:ss.SSSxxx",
  "d 'de' MMMM 'de' yyyy",
  'epoch-seconds',
  'epoch-milliseconds',
  'excel-serial',
  'excel-serial-1904',
])('%s is a pattern', (pattern) => {
  expect(datePatternMistake(pattern)).toBeNull();
});

describe('an invalid pattern is refused with the reason', () => {
  test.each([
    ['dd/mm/yyyy', 'no year (yyyy) or no month (MM is the month, mm the minute)'],
    ['dd/MM', 'no year (yyyy) or no month'],
    ['', 'no year (yyyy) or no month'],
    ['epoch', '"e", which has no meaning'],
    ['dd/MM/yyyyTHH:mm', '"T", which has no meaning'],
    ['dddd/MM/yyyy', '"dddd", which has no meaning'],
    ['dd/MM/yyyy HH:mm HH', 'the same part twice'],
    ['dd/MM/MMM/yyyy', 'the same part twice'],
    ['dd/MM/yyyy hh:mm', 'one of hh and a without the other'],
    ['dd/MM/yyyy HH:mm a', 'one of hh and a without the other'],
    ['dd/MM/yyyy mm', 'minutes but no hour'],
    ['dd/MM/yyyy HH:ss', 'seconds but no minutes'],
    ['dd/MM/yyyy HH:mm.SSS', 'a fraction but no seconds'],
    ['MM/yyyy HH:mm', 'an hour but no day'],
    ["dd 'de MM yyyy", 'an apostrophe that is not closed'],
  ])('%s has %s', (pattern, because) => {
    expect(datePatternMistake(pattern)).toContain(because);
  });
});
