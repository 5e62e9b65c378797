import { type ConfigJsonSchema, configJsonSchema, mapIn } from '../../src/config/json-schema.js';

/** One key of registrar.yaml, for the reference's table. */
export interface ConfigKey {
  /** With every level: `environments.<name>.quota.requests`, `sources[].columns.<field>`. */
  readonly key: string;
  readonly type: string;
  /** As it is written; 'required' or 'none' where there is no default. */
  readonly default: string;
  readonly meaning: string;
}

/** Every key of registrar.yaml in the order of the schema, nested ones after the key that holds them. */
export function configReference(): readonly ConfigKey[] {
  return keysOf(configJsonSchema(), '');
}

/** The same as a table in Markdown. */
export function renderConfigReference(): string {
  const rows = configReference().map(
    ({ key, type, default: standard, meaning }) =>
      `| \`${key}\` | ${cell(type)} | ${isWord(standard) ? standard : `\`${standard}\``} | ${cell(meaning)} |`,
  );
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** Names for the keys that the user chooses, by the map that holds them. */
const CHOSEN_KEYS: Readonly<Record<string, string>> = {
  environments: 'name',
  columns: 'field',
  defaults: 'field',
};

function keysOf(schema: ConfigJsonSchema, prefix: string): ConfigKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const own = {
      key,
      type: typeOf(property),
      default: defaultOf(property, schema.required?.includes(name) ?? false),
      meaning: property.description ?? '',
    };
    const inner = property.additionalProperties || property.items;
    return [
      own,
      ...keysOf(mapIn(property), key),
      ...(inner ? keysOf(inner, innerKeyOf(key, name, property)) : []),
    ];
  });
}

/** The key of the entries of a list or of a map with chosen keys, as the reference has it. @param key of the list or map. */
function innerKeyOf(key: string, name: string, { items }: ConfigJsonSchema): string {
  return items ? `${key}[]` : `${key}.<${CHOSEN_KEYS[name] ?? 'key'}>`;
}

function typeOf(schema: ConfigJsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${shown(value)}\``).join(', ');
  if (schema.type === 'integer') return 'whole number';
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'array')
    return schema.items?.properties ? 'list' : `list of ${typeOf(schema.items ?? schema)}`;
  if (schema.type === 'object') return 'map';
  if (schema.type === 'null') return '`null`';
  if (schema.anyOf && schema.title === undefined) return schema.anyOf.map(typeOf).join(' or ');
  return schema.title ?? 'text';
}

/** A default as the reference says it. */
function defaultOf(schema: ConfigJsonSchema, required: boolean): string {
  if (required) return 'required';
  if (schema.default === undefined) return 'none';
  if (Array.isArray(schema.default) && schema.default.length > 0) return schema.default.map(shown).join(', ');
  return typeof schema.default === 'object' ? 'empty' : shown(schema.default);
}

/** Blanks and tabs are visible only in quotes. */
function shown(value: unknown): string {
  const text = String(value);
  return /^\S+$/.test(text) ? text : JSON.stringify(text);
}

function isWord(standard: string): boolean {
  return ['required', 'none', 'empty'].includes(standard);
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
