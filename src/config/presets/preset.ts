import type { sourceKeys } from '../schema/source-schema.js';
import { dataFile } from '../values/data-file.js';
import type { z } from '../zod.js';
import { PRESET_NAMES } from './preset-names.js';

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

const loaded = new Map<string, Preset>();

export function builtInPresets(): readonly Preset[] {
  return PRESET_NAMES.map(builtInPreset);
}

/** One of `PRESET_NAMES`; read on first use. */
export function builtInPreset(name: string): Preset {
  const preset = loaded.get(name) ?? presetOf(name, dataFile<PresetFile>(`presets/${name}`)());
  loaded.set(name, preset);
  return preset;
}

export function presetOf(name: string, file: PresetFile): Preset {
  const signature = file.signature.map((entry) => (typeof entry === 'string' ? [entry] : entry));
  return { operation: 'submit-completion', settings: {}, notes: '', ...file, name, signature };
}
