import { once } from '../../domain/process/once.js';
import { isObject } from '../../domain/text/is-object.js';
import type { sourceKeys } from '../schema/source-schema.js';
import { dataFile } from '../values/data-file.js';
import type { z } from '../zod.js';
import { PRESET_NAMES } from './preset-names.js';

/** A known export: how its header identifies it, and how its columns become fields. */
export interface Preset {
  readonly name: string;
  /** Which system's which export it is. */
  readonly title: string;
  /** The document or program that its facts are from. */
  readonly knownFrom: string;
  readonly operation: string;
  /** Each entry lists headers of which the file must have one. Empty: the preset's headers are too common to identify it. */
  readonly signature: readonly (readonly string[])[];
  /** By field: its headers, the best first. An empty list: no column of this export is the field. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Keys of a source, as registrar.yaml would have them; in force only for a source that names the preset. */
  readonly settings: PresetSettings;
  /** What else a person must know; '' where there is nothing. */
  readonly notes: string;
}

/** As written, without the schema's defaults: a preset sets no key that it doesn't name. */
export type PresetSettings = Partial<Pick<z.input<typeof sourceKeys>, (typeof PRESET_KEYS)[number]>>;

/** Keys of a source that a preset may set for the sources that name it. */
export const PRESET_KEYS = [
  'timeZone',
  'dateOrder',
  'encoding',
  'delimiter',
  'rowEnd',
  'datePatterns',
  'twoDigitYears',
  'scale',
  'defaults',
  'status',
] as const;

/** A file of data/presets/; tests check that each is one. */
export type PresetFile = Pick<Preset, 'title' | 'knownFrom' | 'columns'> &
  Partial<Pick<Preset, 'operation' | 'settings' | 'notes'>> & {
    readonly signature: readonly (string | readonly string[])[];
  };

/** Each is read on first use. */
const PRESETS = new Map(
  PRESET_NAMES.map((name) => {
    const file = dataFile<PresetFile>(`presets/${name}`);
    return [name, once(() => presetOf(name, file()))];
  }),
);

export function builtInPresets(): readonly Preset[] {
  return [...PRESETS.values()].map((preset) => preset());
}

export function presetOf(name: string, file: PresetFile): Preset {
  const signature = file.signature.map((entry) => (typeof entry === 'string' ? [entry] : entry));
  return { operation: 'submit-completion', settings: {}, notes: '', ...file, name, signature };
}

/** A source's own keys win over those of the preset that it names, within `defaults` and `status` too. */
export function fillPresets(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.sources)) return value;
  return { ...value, sources: value.sources.map(fillSource) };
}

function fillSource(source: unknown): unknown {
  if (!isObject(source)) return source;
  const preset = PRESETS.get(String(source.preset));
  if (preset === undefined) return source;
  const { defaults, status, ...others } = preset().settings;
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
