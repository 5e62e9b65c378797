import { isObject } from '../../domain/text/is-object.js';
import { builtInPreset, type PresetSettings } from './preset.js';
import { PRESET_NAMES } from './preset-names.js';

/**
 * Fills in the settings of the presets that sources name; a source's own keys win, within `defaults` and `status`
 * too.
 */
export function fillPresets(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.sources)) return value;
  return { ...value, sources: value.sources.map(fillSource) };
}

function fillSource(source: unknown): unknown {
  if (!isObject(source)) return source;
  const name = PRESET_NAMES.find((preset) => preset === source.preset);
  if (name === undefined) return source;
  const { defaults, status, ...others } = builtInPreset(name).settings;
  return {
    ...others,
    ...source,
    ...(defaults ? { defaults: merged(defaults, source.defaults) } : {}),
    ...(status ? { status: mergedWords(status, source.status) } : {}),
  };
}

/** The source's words together with the preset's; for a word in both, the source's meaning counts. */
function mergedWords(status: NonNullable<PresetSettings['status']>, own: unknown): unknown {
  if (own !== undefined && !isObject(own)) return own;
  const ownWords = new Set([...wordsOf(own?.completed), ...wordsOf(own?.notCompleted)].map(lower));
  const words = (['completed', 'notCompleted'] as const).flatMap((key) => {
    const ofPreset = (status[key] ?? []).filter((word) => !ownWords.has(lower(word)));
    const ofSource = own?.[key];
    if (ofSource !== undefined && !Array.isArray(ofSource)) return [];
    return [[key, [...ofPreset, ...(ofSource ?? [])]]];
  });
  return { ...status, ...own, ...Object.fromEntries(words) };
}

function wordsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function lower(word: unknown): string {
  return String(word).trim().toLowerCase();
}

function merged(settings: object, own: unknown): unknown {
  if (own === undefined) return settings;
  return isObject(own) ? { ...settings, ...own } : own;
}
