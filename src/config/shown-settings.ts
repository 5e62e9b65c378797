import { once } from '../domain/process/once.js';
import { type ConfigJsonSchema, configJsonSchema, mapIn } from './json-schema.js';
import { defaultOf, innerKeyOf } from './reference.js';
import type { Config } from './schema.js';
import { durationMs, durationText } from './values/duration.js';
import { sizeBytes, sizeWords } from './values/file-size.js';

/** A key of registrar.yaml with its value as it was read. */
export interface ShownSetting {
  /** As it stands in the file: `environments.main.quota.requests`. */
  readonly key: string;
  /** null: it is not set, and there is no default; or it is hidden, or names people. */
  readonly value: string | null;
  /** Names of people and groups; null where it isn't about any. Personal. */
  readonly people: string | null;
  /** True: it is set, and `value` doesn't show it, because whoever knows it has access, or because it is personal. */
  readonly isHidden: boolean;
  /** As the reference says it. */
  readonly default: string;
  readonly isDefault: boolean;
  readonly meaning: string;
}

/** The settings of one part: `reports`, or one entry of a list or a map: `sources: academy`. */
export interface SettingsPart {
  readonly name: string;
  readonly settings: readonly ShownSetting[];
}

/**
 * All settings as they were read. Texts are shown only under keys that are listed here: every other one may give access, so a new key
 * is hidden until somebody has thought about it.
 */
export function shownSettings(config: Config): readonly SettingsPart[] {
  return Object.entries(schemaOnce().properties ?? {}).flatMap(([name, schema]) =>
    partsOf(name, schema, (config as Readonly<Record<string, unknown>>)[name]),
  );
}

/** Made from the schema's code in some 50 ms, and the same for as long as the program runs. */
const schemaOnce = once(configJsonSchema);

/** Texts that give no access and name nobody, by their key in the reference; those within the lists and maps of these too. */
const OPEN_TEXTS: ReadonlySet<string> = new Set([
  ...[
    'baseUrl',
    'authUrl',
    'caFile',
    'clientSecretFile',
    'courses.path',
    'courses.type',
    'groups.path',
    'groups.type',
  ].map((key) => `environments.<name>.${key}`),
  'environments.<name>.courses.attributes.<key>',
  'environments.<name>.groups.attributes.<key>',
  ...[
    'name',
    'environment',
    'inbox',
    'inbox.folder',
    'match',
    'earliest',
    'datePatterns',
    'encoding',
    'delimiter',
    'rowEnd',
    'sheet',
    'sheets',
  ].map((key) => `sources[].${key}`),
  ...['listSeparator', 'columns.<field>', 'status.completed', 'status.notCompleted', 'status.ignore'].map(
    (key) => `sources[].${key}`,
  ),
  'reports.folder',
  ...['cron', 'sources', 'folder'].map((key) => `schedule[].${key}`),
  'monitor.listen',
  'monitor.pings[].job',
  'monitor.pings[].caFile',
  ...[
    'name',
    'email.host',
    'email.caFile',
    'email.passwordFile',
    'webhook.urlFile',
    'webhook.secretFile',
    'webhook.caFile',
    'file',
  ].map((key) => `alerts.channels[].${key}`),
  ...[
    'listen',
    'url',
    'tls.certFile',
    'tls.keyFile',
    'users[].name',
    'proxy.addresses',
    'proxy.userHeader',
    'proxy.rolesHeader',
  ].map((key) => `console.${key}`),
  ...['issuer', 'scopes', 'nameClaim', 'rolesClaim', 'label', 'caFile', 'clientSecretFile'].map(
    (key) => `console.oidc.${key}`,
  ),
]);

/** Texts that give no access, and may name people. */
const PERSONAL_TEXTS: ReadonlySet<string> = new Set([
  'sources[].inbox.group',
  'sources[].defaults.<field>',
  'reports.group',
  'alerts.channels[].email.from',
  'alerts.channels[].email.to',
  'console.roles.operator',
  'console.roles.auditor',
  'console.roles.viewer',
]);

/** Kinds of text that say nothing but a time. */
const OPEN_TITLES: ReadonlySet<string> = new Set(['IANA time zone', 'time of day']);

interface Place {
  /** As it stands in the file. */
  readonly key: string;
  /** As in the reference. */
  readonly known: string;
}

function partsOf(name: string, schema: ConfigJsonSchema, value: unknown): SettingsPart[] {
  const place = { key: name, known: name };
  const inner = innerOf(place, name, schema, value);
  if (inner === null || !schema.description) return [{ name, settings: within(place, schema, value) }];
  return inner.map((one) => ({
    name: `${name}: ${one.label}`,
    settings: within(one.place, one.schema, one.value),
  }));
}

/** The entries of a list of maps or of a map with chosen keys; null for anything else. */
function innerOf({ key, known }: Place, name: string, schema: ConfigJsonSchema, value: unknown) {
  const inner = mapIn(schema).additionalProperties || schema.items;
  if (!inner || value === undefined || value === null || (schema.items && !mapIn(inner).properties))
    return null;
  const place = innerKeyOf(known, name, schema);
  return Object.entries(value as object).map(([own, one]) => {
    const label = schema.items ? labelOf(one, own) : own;
    return {
      label,
      schema: inner,
      value: one as unknown,
      place: { key: schema.items ? `${key}[${own}]` : `${key}.${own}`, known: place },
    };
  });
}

function labelOf(value: unknown, index: string): string {
  const { name, cron } = value as { readonly name?: unknown; readonly cron?: unknown };
  return String(name ?? cron ?? Number(index) + 1);
}

/** The settings below a place, and the one at it where it has none below. */
function within({ key, known }: Place, schema: ConfigJsonSchema, value: unknown): ShownSetting[] {
  const map = mapIn(schema);
  return Object.entries(map.properties ?? {}).flatMap(([name, property]) => {
    const place = { key: `${key}.${name}`, known: `${known}.${name}` };
    const { text, plain } = readAt(value, name);
    const inner = innerOf(place, name, property, plain);
    if (inner !== null && inner.length > 0) {
      return inner.flatMap((one) =>
        mapIn(one.schema).properties
          ? within(one.place, one.schema, one.value)
          : [
              setting(
                one.place,
                { ...one.schema, description: property.description ?? '' },
                one.value,
                null,
                'none',
              ),
            ],
      );
    }
    if (mapIn(property).properties && typeof plain === 'object' && plain !== null)
      return within(place, property, plain);
    return [
      setting(place, property, plain, text, defaultOf(property, map.required?.includes(name) ?? false)),
    ];
  });
}

/** A value by the name that it has in the file: what is read has its unit in the name. `text`: as it is written; null: as it is. */
function readAt(value: unknown, name: string): { readonly plain: unknown; readonly text: string | null } {
  const read = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [ms, bytes] = [read[`${name}Ms`], read[`${name}Bytes`]];
  if (typeof ms === 'number') return { plain: ms, text: durationText(ms) };
  if (typeof bytes === 'number') return { plain: bytes, text: sizeWords(bytes) };
  return { plain: read[name], text: null };
}

function setting(
  { key, known }: Place,
  schema: ConfigJsonSchema,
  value: unknown,
  text: string | null,
  standard: string,
): ShownSetting {
  const about = { key, default: standard, meaning: schema.description ?? '', people: null };
  if (value === undefined || isEmpty(value))
    return { ...about, value: null, isHidden: false, isDefault: true };
  if (PERSONAL_TEXTS.has(known)) {
    const people = textOf(value);
    return {
      ...about,
      value: null,
      people,
      isHidden: true,
      isDefault: isStandard(standard, value, people, text),
    };
  }
  const isShown = text !== null || isOpen(known, schema, value);
  if (!isShown) return { ...about, value: null, isHidden: true, isDefault: false };
  const shown = text ?? textOf(value);
  return { ...about, value: shown, isHidden: false, isDefault: isStandard(standard, value, shown, text) };
}

function isOpen(known: string, schema: ConfigJsonSchema, value: unknown): boolean {
  if (OPEN_TEXTS.has(known)) return true;
  const texts = [value].flat();
  if (texts.every((one) => typeof one === 'number' || typeof one === 'boolean' || one === null)) return true;
  return [schema, ...(schema.anyOf ?? [])].some(
    ({ enum: choices, items, title = '' }) =>
      OPEN_TITLES.has(title) ||
      texts.every((one) => (choices ?? items?.enum ?? []).some((choice) => choice === one)),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @param text a length of time or a size as it is written; null for other values. */
function isStandard(standard: string, value: unknown, shown: string, text: string | null): boolean {
  if (text === null) return shown === standard || JSON.stringify(shown) === standard;
  if (/^\d+(ms|s|m|h|d)$/.test(standard)) return durationMs(standard) === value;
  return /^\d+(kB|MB|GB)$/.test(standard) && sizeBytes(standard) === value;
}
