import { isObject } from '../../domain/text/is-object.js';
import { environmentKeys } from '../schema/environment-schema.js';
import { scheduleKeys } from '../schema/schedule-schema.js';
import { sourceKeys } from '../schema/source-schema.js';
import type { Config, EnvironmentConfig, ScheduleConfig, SourceConfig } from '../schema.js';
import { z } from '../zod.js';

/** The readable part of a source; a column or default with a mistake keeps its key. */
export interface SourceDraft extends Omit<Partial<SourceConfig>, 'columns' | 'defaults'> {
  readonly columns?: Readonly<Record<string, string | null | undefined>>;
  readonly defaults?: Readonly<Record<string, string | undefined>>;
}

/** A configuration that may have mistakes: values that the schema refuses are absent, and absent keys have their defaults. */
export interface ConfigDraft {
  readonly environments: Readonly<Record<string, Partial<EnvironmentConfig>>>;
  readonly sources: readonly SourceDraft[];
  readonly schedule: readonly Partial<ScheduleConfig>[];
}

/**
 * Rules between parts are checked together with the schema.
 * @param config undefined: the schema refuses something.
 */
export function draftOf(value: unknown, config: Config | undefined): ConfigDraft {
  if (config !== undefined) return config;
  const { environments, sources, schedule } = entriesOf(value);
  const readEnvironment = lenient(environmentKeys);
  const readSource = lenient(sourceKeys).extend({
    columns: z.record(z.string(), z.string().nullish().catch(undefined)).catch({}).prefault({}),
    defaults: z.record(z.string(), z.string().optional().catch(undefined)).catch({}).prefault({}),
  });
  const readSchedule = lenient(scheduleKeys);
  return {
    environments: Object.fromEntries(
      Object.entries(entriesOf(environments)).map(([name, one]) => [
        name,
        readEnvironment.parse(entriesOf(one)),
      ]),
    ),
    sources: listOf(sources).map((one) => readSource.parse(entriesOf(one))),
    schedule: listOf(schedule).map((one) => readSchedule.parse(entriesOf(one))),
  };
}

function lenient(schema: z.ZodObject): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([key, field]) => [key, z.optional(field).catch(undefined)]),
    ),
  );
}

export function entriesOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
