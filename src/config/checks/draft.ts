import { isObject } from '../../domain/text/is-object.js';
import { environmentKeys, inEnvironment } from '../schema/environment-schema.js';
import { inSchedule, scheduleKeys } from '../schema/schedule-schema.js';
import { inSource, sourceKeys } from '../schema/source-schema.js';
import type { Config, EnvironmentConfig, ScheduleConfig, SourceConfig } from '../schema.js';
import { z } from '../zod.js';

/** The readable part of an environment. */
export interface EnvironmentDraft extends Partial<EnvironmentConfig> {
  /** The keys in the file, including keys with invalid values; null when the value isn't a map at all. */
  readonly given: readonly string[] | null;
}

/** The readable part of a source; a column or default with a mistake keeps its key. */
export interface SourceDraft extends Omit<Partial<SourceConfig>, 'columns' | 'defaults'> {
  readonly columns?: Readonly<Record<string, string | null | undefined>>;
  readonly defaults?: Texts;
}

type Texts = Readonly<Record<string, string | undefined>>;

/** A configuration that may have mistakes: values that the schema refuses are absent, and absent keys have their defaults. */
export interface ConfigDraft {
  readonly environments: Readonly<Record<string, EnvironmentDraft>>;
  readonly sources: readonly SourceDraft[];
  readonly schedule: readonly Partial<ScheduleConfig>[];
  readonly mailChannels: readonly unknown[];
}

/**
 * Reads the readable part of the value, so that the rules between its parts are checked together with the schema and not after
 * it.
 * @param config what the schema reads; undefined: it refuses something.
 */
export function draftOf(value: unknown, config: Config | undefined): ConfigDraft {
  const { environments, alerts } = entriesOf(value);
  const read = config ?? readLeniently(value);
  return {
    environments: Object.fromEntries(
      Object.entries(read.environments).map(([name, environment]) => [
        name,
        { ...environment, given: givenIn(entriesOf(environments)[name]) },
      ]),
    ),
    sources: read.sources,
    schedule: read.schedule,
    mailChannels: listOf(entriesOf(alerts).channels)
      .map(entriesOf)
      .flatMap(({ name, email }) => (email === undefined ? [] : [name])),
  };
}

interface Readable extends Pick<ConfigDraft, 'sources' | 'schedule'> {
  readonly environments: Readonly<Record<string, Partial<EnvironmentConfig>>>;
}

function readLeniently(value: unknown): Readable {
  const { environments, sources, schedule } = entriesOf(value);
  const lenientEnvironment = lenient(environmentKeys);
  const lenientSource = lenient(sourceKeys).extend({
    columns: z.record(z.string(), z.string().nullish().catch(undefined)).catch({}).prefault({}),
    defaults: z.record(z.string(), z.string().optional().catch(undefined)).catch({}).prefault({}),
  });
  const lenientSchedule = lenient(scheduleKeys);
  return {
    environments: Object.fromEntries(
      Object.entries(entriesOf(environments)).map(([name, environment]) => [
        name,
        inEnvironment(lenientEnvironment.parse(entriesOf(environment))) as Partial<EnvironmentConfig>,
      ]),
    ),
    sources: listOf(sources).map((source) => inSource(lenientSource.parse(entriesOf(source))) as SourceDraft),
    schedule: listOf(schedule).map(
      (entry) => inSchedule(lenientSchedule.parse(entriesOf(entry))) as Partial<ScheduleConfig>,
    ),
  };
}

function givenIn(environment: unknown): readonly string[] | null {
  return isObject(environment) ? Object.keys(environment) : null;
}

/** The same schema with each key optional, and undefined where its value is invalid. */
function lenient(schema: z.ZodObject): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([key, field]) => [key, z.optional(field).catch(undefined)]),
    ),
  );
}

function entriesOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
