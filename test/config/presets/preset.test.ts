import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/load-config.js';
import { PRESET_KEYS } from '../../../src/config/presets/preset.js';
import { PRESET_NAMES } from '../../../src/config/presets/preset-names.js';
import { sourceKeys } from '../../../src/config/schema/source-schema.js';
import { dataFile } from '../../../src/config/values/data-file.js';
import { z } from '../../../src/config/zod.js';
import { statusVocabulary } from '../../../src/normalise/values/status.js';
import { findOperation } from '../../../src/operations/registry.js';
import { CREDENTIALS, mistakesOf, sound, written } from '../written-config.js';

const GOOD = 'title: T\nknownFrom: K\nsignature: [A]\ncolumns: { user-id: [A] }\n';

const sourceWith = (...lines: string[]) =>
  loadConfig(written(sound({ source: lines })), CREDENTIALS).config.sources[0];

const settings = z
  .strictObject(sourceKeys.shape)
  .pick(
    Object.fromEntries(PRESET_KEYS.map((key) => [key, true as const])) as Record<
      (typeof PRESET_KEYS)[number],
      true
    >,
  )
  .partial();

/** The schema of a file in data/presets/. */
const presetFile = z
  .strictObject({
    title: z.string().min(1),
    knownFrom: z.string().min(1),
    operation: z.string().optional(),
    signature: z.array(z.union([z.string().min(1), z.array(z.string().min(1)).min(2)])),
    columns: z.record(z.string(), z.array(z.string().min(1))),
    settings: settings.optional(),
    notes: z.string().optional(),
  })
  .superRefine(({ operation = 'submit-completion', columns, settings }, context) => {
    const fields = findOperation(operation)?.fields.map((field) => field.name) ?? [];
    const unknown = [...Object.keys(columns), ...Object.keys(settings?.defaults ?? {})].filter(
      (field) => !fields.includes(field),
    );
    for (const field of unknown)
      context.addIssue({ code: 'custom', message: `${operation} has no field ${field}` });
  });

const mistakesIn = (file: unknown) => {
  const parsed = presetFile.safeParse(file);
  return parsed.success ? '' : z.prettifyError(parsed.error);
};

describe('a preset’s file', () => {
  it.each([...PRESET_NAMES])('%s is sound', (name) => {
    expect(mistakesIn(dataFile(`presets/${name}`)())).toBe('');
  });

  it.each([
    ['an unknown key', `${GOOD}signatur: []\n`, 'signatur'],
    ['a column of an unknown field', GOOD.replace('user-id', 'user'), 'has no field user'],
    ['a default of an unknown field', `${GOOD}settings: { defaults: { x: y } }\n`, 'has no field x'],
    ['a setting that a preset may not set', `${GOOD}settings: { environment: main }\n`, 'environment'],
    ['an unknown zone', `${GOOD}settings: { timeZone: Mars }\n`, 'settings.timeZone'],
    ['no title', GOOD.replace('title: T\n', ''), 'title'],
  ])('with %s is found', (_, text, named) => {
    expect(mistakesIn(parse(GOOD))).toBe('');
    expect(mistakesIn(parse(text))).toContain(named);
  });
});

describe('a source that names a preset', () => {
  it('has its settings', () => {
    expect(sourceWith('preset: coursera')).toMatchObject({ timeZone: 'UTC', defaults: {} });
    expect(sourceWith('preset: open-edx-grades')).toMatchObject({ scale: '0-1', timeZone: 'UTC' });
  });

  it('keeps what it says itself', () => {
    const source = sourceWith('preset: open-edx-grades', 'timeZone: Asia/Tokyo', 'scale: 0-100');
    expect(source).toMatchObject({ scale: '0-100', timeZone: 'Asia/Tokyo' });
  });

  it('has its status words beside those of the preset, and its own word is what counts', () => {
    const source = sourceWith(
      'preset: skyprep',
      'status: { completed: [Not-Applicable], notCompleted: [halfway] }',
    );
    const words = statusVocabulary(source?.status ?? { completed: [], notCompleted: [] });
    expect(words.get('not applicable')).toBe('completed');
    expect(words.get('halfway')).toBe('not-completed');
    expect(words.get('in progress')).toBe('not-completed');
  });

  test('none has nothing of any', () => {
    expect(sourceWith('preset: none')).toMatchObject({ preset: 'none' });
    expect(sourceWith('preset: none')).not.toHaveProperty('timeZone');
  });

  test('that does not exist is reported with the one that was probably meant', () => {
    expect(mistakesOf(sound({ source: ['preset: cornerston'] }))).toEqual([
      expect.stringMatching(
        /sources\[0\]\.preset "cornerston" is not known here; did you mean cornerstone\?$/,
      ),
    ]);
  });

  test('with a mistake beside it has its mistake reported as usual', () => {
    expect(mistakesOf(sound({ source: ['preset: coursera', 'timeZone: Mars', 'status: 1'] }))).toEqual([
      expect.stringContaining('timeZone "Mars"'),
      expect.stringContaining('status'),
    ]);
  });
});
