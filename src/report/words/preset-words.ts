import type { HeaderMatch } from '../../normalise/mapping/match-headers.js';

/** `header.preset` of `inspect --json`; null where no preset is chosen. `settings`: keys of the source, one by one. */
export function presetDocument({ preset }: HeaderMatch) {
  if (!preset) return null;
  const { name, title, why, has, settings } = preset;
  return { name, title, why, has, settings: flat(settings) };
}

/** The preset in words, one line for each fact; [] where there is nothing to say. */
export function presetLines(match: HeaderMatch): readonly string[] {
  const preset = presetDocument(match);
  if (!preset) return [];
  const has = preset.has.map((header) => header.replace(/\s+/g, ' ')).join(', ');
  const why = preset.why === 'named' ? 'the source names it' : `has ${has}`;
  const settings = settingLines(preset.settings);
  const sets = preset.why === 'named' ? 'it sets' : `with preset: ${preset.name} in the source it would set`;
  return [
    `preset ${preset.name}: ${why} (${preset.title})`,
    ...(settings.length === 0 ? [] : [`${sets} ${settings.join('; ')}`]),
  ];
}

/** Keys of a source with their values: `dateOrder: month-first`. */
export function settingLines(settings: object): readonly string[] {
  return Object.entries(flat(settings)).map(([key, value]) => `${key}: ${[value].flat().join(', ')}`);
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
