import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/load-config.js';
import { builtInPresets, readPreset } from '../../../src/config/presets/preset.js';
import { PRESET_NAMES } from '../../../src/config/presets/preset-names.js';
import { statusVocabulary } from '../../../src/normalise/values/status.js';
import { CREDENTIALS, mistakesOf, sound, written } from '../written-config.js';

const GOOD = 'title: T\nknownFrom: K\nsignature: [A]\ncolumns: { user-id: [A] }\n';

const sourceWith = (...lines: string[]) =>
  loadConfig(written(sound({ source: lines })), CREDENTIALS).config.sources[0];

describe('a preset’s file', () => {
  it.each([...PRESET_NAMES])('%s is sound, and says what it is and where that is known from', (name) => {
    expect(builtInPresets().find((preset) => preset.name === name)).toMatchObject({
      title: expect.stringMatching(/\w/),
      knownFrom: expect.stringMatching(/\w/),
    });
  });

  it.each([
    ['a key nobody knows', `${GOOD}signatur: []\n`, 'signatur'],
    ['a column of a field that is none', GOOD.replace('user-id', 'user'), 'has no field user'],
    ['a default of a field that is none', `${GOOD}settings: { defaults: { x: y } }\n`, 'has no field x'],
    ['a setting that a preset may not set', `${GOOD}settings: { environment: main }\n`, 'environment'],
    ['a zone that is none', `${GOOD}settings: { timeZone: Mars }\n`, 'settings.timeZone'],
    ['no title', GOOD.replace('title: T\n', ''), 'title'],
  ])('with %s is refused', (_, text, named) => {
    expect(() => readPreset('bad', parse(text))).toThrow(named);
  });

  it('sets only what it says', () => {
    expect(readPreset('plain', parse(GOOD)).settings).toEqual({});
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
