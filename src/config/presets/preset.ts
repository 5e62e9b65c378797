import { once } from '../../domain/process/once.js';
import { findOperation } from '../../operations/registry.js';
import { sourceKeys } from '../schema/source-schema.js';
import { dataFile } from '../values/data-file.js';
import { z } from '../zod.js';
import { PRESET_NAMES } from './preset-names.js';

// Most commands read no preset.
const presetSchema = once(() =>
  z.strictObject({
    title: z.string().min(1),
    knownFrom: z.string().min(1),
    operation: z.string().default('submit-completion'),
    signature: z.array(oneOf()),
    columns: z.record(z.string(), z.array(z.string().min(1))),
    settings: settingsSchema().optional(),
    notes: z.string().optional(),
  }),
);

/** A known export: how its header identifies it, and how its columns become fields. */
export interface Preset {
  /** What a source calls it in `preset:`. */
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

/** The settings as written, without the schema's defaults: a preset doesn't set a key that it doesn't name. */
export type PresetSettings = z.input<ReturnType<typeof settingsSchema>>;

const known = new Map<string, Preset>();

/** Every built-in preset. Reading them all takes as long as the rest of a short command: see `builtInPreset`. */
export function builtInPresets(): readonly Preset[] {
  return PRESET_NAMES.map(builtInPreset);
}

/**
 * The built-in preset of that name, one of `PRESET_NAMES`; read from data/presets/ on first use. A file with a mistake is a
 * bug of this program.
 */
export function builtInPreset(name: string): Preset {
  const preset = known.get(name) ?? readPreset(name, dataFile(`presets/${name}`)());
  known.set(name, preset);
  return preset;
}

/** Reads what a preset's file holds. Throws where it has a mistake. */
export function readPreset(name: string, value: unknown): Preset {
  const parsed = presetSchema().safeParse(value);
  if (!parsed.success) throw new Error(`preset ${name}: ${z.prettifyError(parsed.error)}`);
  const { title, knownFrom, operation, signature, columns, notes = '' } = parsed.data;
  const fields = findOperation(operation)?.fields.map((field) => field.name) ?? [];
  // As written: the parsed value has the schema's defaults in place.
  const settings = (value as z.input<ReturnType<typeof presetSchema>>).settings ?? {};
  const unknown = [...Object.keys(columns), ...Object.keys(settings.defaults ?? {})].filter(
    (field) => !fields.includes(field),
  );
  if (unknown.length > 0) throw new Error(`preset ${name}: ${operation} has no field ${unknown.join(', ')}`);
  return {
    name,
    title,
    knownFrom,
    operation,
    signature: signature.map((entry) => (typeof entry === 'string' ? [entry] : entry)),
    columns,
    settings,
    notes,
  };
}

/** Keys of a source that a preset may set for the sources that name it. */
function settingsSchema() {
  return sourceKeys
    .pick({
      timeZone: true,
      dateOrder: true,
      encoding: true,
      delimiter: true,
      rowEnd: true,
      datePatterns: true,
      twoDigitYears: true,
      scale: true,
      defaults: true,
      status: true,
    })
    .partial();
}

/** The headers of which one must be there. */
function oneOf() {
  return z.union([z.string().min(1), z.array(z.string().min(1)).min(2)]);
}
