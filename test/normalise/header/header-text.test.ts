import { describe, expect, test } from 'vitest';
import { compactHeader, normaliseHeader, splitGroup } from '../../../src/normalise/header/header-text.js';

describe('a header is compared without what people add to it', () => {
  test.each([
    ['Email', 'email'],
    ['  E-Mail  ', 'e-mail'],
    ['\ufeffEmail', 'email'],
    ['Email\u00a0Address', 'email address'],
    ['Em\u200bail', 'email'],
    ['Completion\r\nDate', 'completion date'],
    ['completion_date', 'completion date'],
    ['COMPL_DTE', 'compl dte'],
    ['Course ID*', 'course id'],
    ['* Course ID', 'course id'],
    ['Course ID (required)', 'course id'],
    ['Course ID (Required) *', 'course id'],
    ['Status:', 'status'],
    ['Ｅｍａｉｌ', 'email'],
    ['Date d’achèvement', "date d'achèvement"],
    ['Completed (Yes/No)', 'completed (yes/no)'],
    ['', ''],
    [' * ', ''],
  ])('%j is %j', (header, text) => {
    expect(normaliseHeader(header)).toMatchObject({ text, zone: null });
  });

  test('an immense cell above the header costs no time', () => {
    expect(normaliseHeader('*'.repeat(1_000_000)).text).toBe('');
  });
});

describe('the zone in a header is taken off and kept', () => {
  test.each([
    ['Completion Date (UTC TimeZone)', 'completion date', 'UTC'],
    ['Completed At (UTC)', 'completed at', 'UTC'],
    ['Completed At (GMT)', 'completed at', 'UTC'],
    ['completed_at_utc', 'completed at', 'UTC'],
    ['Completed At (PST/PDT)', 'completed at', 'America/Los_Angeles'],
    ['Completed At (EST/EDT)', 'completed at', 'America/New_York'],
    ['Completed At (CST/CDT)', 'completed at', 'America/Chicago'],
    ['Completed At (MST/MDT)', 'completed at', 'America/Denver'],
    ['Completed At (CET/CEST)', 'completed at', 'Europe/Paris'],
    ['Completed At (Europe/Berlin) *', 'completed at', 'Europe/Berlin'],
    ['Completed At* [America/New_York]', 'completed at', 'America/New_York'],
    ['Completed At (GMT+1)', 'completed at', '+01:00'],
    ['Completed At (UTC-03:30)', 'completed at', '-03:30'],
  ])('%j is %j in %s', (header, text, zone) => {
    expect(normaliseHeader(header)).toMatchObject({ text, zone });
  });

  test.each(['Completed At (EST)', 'Completed At (Japan)', 'Completed At (Mars/Base)', 'Completed At (+15)'])(
    '%j names no zone for sure and stays as it is',
    (header) => {
      expect(normaliseHeader(header)).toMatchObject({ text: header.toLowerCase(), zone: null });
    },
  );
});

test('a grouped header has a group and a tail', () => {
  expect(splitGroup('user - email')).toEqual({ group: 'user', tail: 'email' });
  expect(splitGroup('e-mail')).toBeNull();
});

test('spaces and hyphens do not distinguish headers', () => {
  expect(compactHeader('user-id')).toBe(compactHeader('user id'));
});
