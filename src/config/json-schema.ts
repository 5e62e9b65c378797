import { once } from '../domain/process/once.js';
import { configSchema } from './schema.js';
import { z } from './zod.js';

export interface ConfigJsonSchema {
  readonly $schema?: string;
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null';
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** true: no message shows the value. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, ConfigJsonSchema>>;
  readonly required?: readonly string[];
  /** false: no other keys; a schema: a map whose keys are chosen by the user. */
  readonly additionalProperties?: false | ConfigJsonSchema;
  readonly items?: ConfigJsonSchema;
  readonly anyOf?: readonly ConfigJsonSchema[];
}

/** The JSON Schema of registrar.yaml, for editors. */
export const configJsonSchema = once(
  () => ({ ...z.toJSONSchema(configSchema, { io: 'input' }), title: 'registrar.yaml' }) as ConfigJsonSchema,
);

/** undefined: there is no such place. */
export function schemaAt(path: readonly (string | number)[]): ConfigJsonSchema | undefined {
  return path.reduce<ConfigJsonSchema | undefined>((schema, part) => {
    if (typeof part === 'number') return schema?.items;
    const { properties = {}, additionalProperties }: Partial<ConfigJsonSchema> = schema ? mapIn(schema) : {};
    return Object.hasOwn(properties, part) ? properties[part] : additionalProperties || undefined;
  }, configJsonSchema());
}

/** The schema itself, or the one of its alternatives that describes a map. */
export function mapIn(schema: ConfigJsonSchema): ConfigJsonSchema {
  return schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
}
