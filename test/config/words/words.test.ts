import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isTimeZone } from '../../../src/config/values/time-zone.js';
import { LANGUAGES, words, zonesByName } from '../../../src/config/words/words.js';
import { statusKey } from '../../../src/normalise/values/status.js';
import { OPERATIONS } from '../../../src/operations/registry.js';

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;

const sectionsOf = (language: string): Sections =>
  parse(readFileSync(new URL(`../../../data/words/${language}.yaml`, import.meta.url), 'utf8'), {
    schema: 'failsafe',
  });

const listsOf = (language: string) =>
  Object.entries(sectionsOf(language)).flatMap(([section, lists]) =>
    Object.keys(lists).map((name) => `${section}.${name}`),
  );

const ENGLISH = listsOf('en');

test('English is the first language, and its words come first', () => {
  expect(LANGUAGES.slice(0, 2)).toEqual(['en', 'cs']);
  expect(words('status.yes')[0]).toBe('yes');
});

test('a list that English lacks is a bug, not an empty list', () => {
  expect(() => words('status.complete')).toThrow('no list of words status.complete');
});

describe.each(LANGUAGES)('%s', (language) => {
  test('has lists that English has too', () => {
    expect(listsOf(language).filter((list) => !ENGLISH.includes(list))).toEqual([]);
  });

  test('has words in lower case, with single spaces, each once in a list', () => {
    for (const list of listsOf(language)) {
      const all = words(list, language);
      expect([list, all.filter((word) => word !== word.toLowerCase() || /\s{2}|[_#]/.test(word))]).toEqual([
        list,
        [],
      ]);
      expect([list, all.length]).toEqual([list, new Set(all).size]);
      expect(all.length).toBeGreaterThan(0);
    }
  });

  test('has twelve months and seven days, where it has names for them', () => {
    expect([0, 12]).toContain(words('dates.months', language).length);
    expect([0, 7]).toContain(words('dates.weekdays', language).length);
  });
});

test('no status word has two meanings', () => {
  const seen = new Map<string, string>();
  for (const meaning of ['completed', 'not-completed', 'exempt']) {
    for (const word of words(`status.${meaning}`)) {
      expect([word, seen.get(statusKey(word)) ?? meaning]).toEqual([word, meaning]);
      seen.set(statusKey(word), meaning);
    }
  }
});

test('every kind of header that an operation names is a list', () => {
  const kinds = OPERATIONS.flatMap(({ fields }) => fields.flatMap(({ headers }) => headers));
  expect(kinds.filter((kind) => !ENGLISH.includes(`headers.${kind}`))).toEqual([]);
});

test('every zone that a name means is one of the IANA database', () => {
  expect(zonesByName().size).toBeGreaterThan(135);
  expect([...zonesByName().values()].filter((zone) => !isTimeZone(zone))).toEqual([]);
});
