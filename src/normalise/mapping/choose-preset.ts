import { builtInPresets, type Preset, type PresetSettings } from '../../config/presets/preset.js';
import type { SourceConfig } from '../../config/schema.js';
import type { Operation } from '../../operations/operation.js';
import { headerKey } from '../header/header-text.js';
import { isAdded } from './header-column.js';

/** The preset whose columns apply to a header, and why. */
export interface ChosenPreset {
  readonly name: string;
  readonly title: string;
  /** `named`: the source names it. `header`: the header shows it, which sets columns and nothing else. */
  readonly why: 'named' | 'header';
  /** The file's headers that identify the preset; for a named preset those that exist, perhaps none. */
  readonly has: readonly string[];
  readonly columns: Preset['columns'];
  /** What the preset says about a source, in force only for one that names it. */
  readonly settings: PresetSettings;
}

/** Which preset a header belongs to. */
export interface PresetChoice {
  readonly preset: ChosenPreset | null;
  /** Presets that fit equally well, so that none is chosen; empty otherwise. */
  readonly tied: readonly string[];
}

/**
 * The preset that the source names, else the one whose signature the header has in full. Of several presets, the one with the
 * longest signature is chosen; of equals none, because each would read the file in its own way.
 */
export function choosePreset(
  headers: readonly string[],
  operation: Operation,
  source: Pick<SourceConfig, 'preset'>,
  presets: readonly Preset[] = builtInPresets(),
): PresetChoice {
  const known = presets.filter((preset) => preset.operation === operation.name);
  const byKey = new Map(
    headers.filter((header) => !isAdded(header)).map((header) => [headerKey(header), header]),
  );
  if (source.preset !== undefined) {
    const named = known.find(({ name }) => name === source.preset);
    return { preset: named ? chosen(named, 'named', byKey) : null, tied: [] };
  }
  const fitting = known
    .map((preset) => chosen(preset, 'header', byKey))
    .filter(({ has }, index) => has.length > 0 && has.length === known[index]?.signature.length);
  const most = Math.max(0, ...fitting.map(({ has }) => has.length));
  const best = fitting.filter(({ has }) => has.length === most);
  if (best.length > 1) return { preset: null, tied: best.map(({ name }) => name) };
  return { preset: best[0] ?? null, tied: [] };
}

/** `headerKey` of a preset's header, cached: these headers are few, and needed for every line that may be a header. */
export function knownHeaderKey(header: string): string {
  const known = KEYS.get(header);
  if (known !== undefined) return known;
  const key = headerKey(header);
  KEYS.set(header, key);
  return key;
}

const KEYS = new Map<string, string>();

function chosen(
  preset: Preset,
  why: ChosenPreset['why'],
  headers: ReadonlyMap<string, string>,
): ChosenPreset {
  const { name, title, columns, settings } = preset;
  const has = preset.signature.flatMap((oneOf) => {
    const found = oneOf.map(knownHeaderKey).find((key) => headers.has(key));
    return found === undefined ? [] : [headers.get(found) ?? ''];
  });
  return { name, title, why, has, columns, settings };
}
