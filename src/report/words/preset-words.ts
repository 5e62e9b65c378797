import type { SourceConfig } from '../../config/schema.js';
import type { ChosenPreset } from '../../normalise/mapping/map-field.js';
import type { HeaderMatch } from '../../normalise/mapping/match-headers.js';

/**
 * `header.preset` of `inspect --json`; null where no preset is chosen. `settings`: keys of the source, with `defaults.<field>` and
 * `status.<list>` each for itself. Of a named preset those that it has set, what the source says itself being left out; else
 * those that it would set once the source names it.
 */
export function presetDocument({ preset }: HeaderMatch, source: SourceConfig) {
  if (!preset) return null;
  const { name, title, why, has } = preset;
  return { name, title, why, has, settings: settingsOf(preset, source) };
}

/** The preset in words, one line for each fact; [] where there is nothing to say. */
export function presetLines(match: HeaderMatch, source: SourceConfig): readonly string[] {
  if (match.tiedPresets.length > 0) {
    return [`presets ${match.tiedPresets.join(' and ')} fit equally well; to choose one, name it: preset: …`];
  }
  const preset = presetDocument(match, source);
  if (!preset) return [];
  const has = preset.has.map((header) => header.replace(/\s+/g, ' ')).join(', ');
  const why = preset.why === 'named' ? 'the source names it' : `has ${has}`;
  const settings = settingLines(preset.settings);
  const lines = [`preset ${preset.name}: ${why} (${preset.title})`];
  if (settings.length === 0) return lines;
  const sets = preset.why === 'named' ? 'it sets' : `with preset: ${preset.name} in the source it would set`;
  return [...lines, `${sets} ${settings.join('; ')}`];
}

export function settingLines(settings: object): readonly string[] {
  return Object.entries(flat(settings)).map(([key, value]) => `${key}: ${wordsOf(value)}`);
}

function settingsOf({ why, settings }: ChosenPreset, source: SourceConfig): Record<string, unknown> {
  const flattened = flat(source);
  return Object.fromEntries(
    Object.entries(flat(settings)).filter(
      ([key, value]) => why === 'header' || Array.isArray(value) || flattened[key] === value,
    ),
  );
}

function flat(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) =>
      typeof value === 'object' && !Array.isArray(value) && ['defaults', 'status'].includes(key)
        ? Object.entries(value as object).map(([inner, text]) => [`${key}.${inner}`, text])
        : [[key, value]],
    ),
  );
}

function wordsOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
