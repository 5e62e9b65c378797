import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { builtInPresets, type Preset, presetOf } from '../../../src/config/presets/preset.js';
import { choosePreset } from '../../../src/normalise/mapping/map-field.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';

const preset = (name: string, signature: string, columns = '{}') =>
  presetOf(name, parse(`title: ${name}\nknownFrom: here\nsignature: ${signature}\ncolumns: ${columns}\n`));

const choose = (headers: readonly string[], presets: readonly Preset[], named?: string) =>
  choosePreset(headers, submitCompletion, named === undefined ? {} : { preset: named }, presets);

const nameOf = (headers: readonly string[], presets: readonly Preset[], named?: string) =>
  choose(headers, presets, named)?.name ?? null;

describe('by its header a preset is chosen', () => {
  const two = preset('two', '[A, [B, C]]');
  const three = preset('three', '[A, B, D]');

  it('when all of its signature is there, whatever the order, case and decoration', () => {
    expect(choose(['x', 'c*', 'A (required)'], [two])).toMatchObject({
      name: 'two',
      why: 'header',
      has: ['A (required)', 'c*'],
    });
    expect(nameOf(['A', 'D'], [two])).toBeNull();
  });

  it('when it requires more headers than every other that fits', () => {
    expect(nameOf(['A', 'B', 'D'], [two, three])).toBe('three');
    expect(nameOf(['A', 'B', 'D'], [three, two])).toBe('three');
    expect(nameOf(['A', 'B'], [two, three])).toBe('two');
  });

  it('never when another requires as many', () => {
    const other = preset('other', '[A, D]');
    expect(choose(['A', 'B', 'D'], [two, other])).toBeNull();
    expect(nameOf(['A', 'B', 'D'], [two, other, three])).toBe('three');
  });

  it('never when its signature is empty', () => {
    expect(choose(['A'], [preset('any', '[]')])).toBeNull();
  });

  it('not by columns that Registrar adds to the files it writes', () => {
    expect(nameOf(['_A', '_B'], [two])).toBeNull();
  });

  it('not for another operation', () => {
    expect(nameOf(['A', 'B'], [{ ...two, operation: 'add-skills' }])).toBeNull();
  });
});

describe('the source’s word', () => {
  const any = preset('any', '[]');

  it('chooses a preset whatever the header', () => {
    expect(choose(['X'], [any, preset('two', '[A, X]')], 'two')).toMatchObject({
      name: 'two',
      why: 'named',
      has: ['X'],
    });
  });

  it('may be that the file has no preset', () => {
    expect(choose(['A', 'B'], [preset('two', '[A, B]')], 'none')).toBeNull();
  });
});

test.each(builtInPresets().filter(({ signature }) => signature.length > 0))(
  'the built-in preset $name is chosen by every form of its own signature',
  ({ name, signature }) => {
    const most = Math.max(...signature.map((oneOf) => oneOf.length));
    for (let form = 0; form < most; form += 1) {
      const headers = signature.map((oneOf) => oneOf[form % oneOf.length] ?? '');
      expect([headers, choosePreset(headers, submitCompletion, {})?.name]).toEqual([headers, name]);
    }
  },
);
