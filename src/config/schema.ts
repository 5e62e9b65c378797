import { alertsSchema } from './schema/alerts-schema.js';
import { consoleSchema } from './schema/console-schema.js';
import { environmentSchema } from './schema/environment-schema.js';
import { monitor } from './schema/monitor-schema.js';
import { scheduleSchema } from './schema/schedule-schema.js';
import { sourceSchema } from './schema/source-schema.js';
import { ALWAYS, checked, folderMistake, MISSING, nameSchema } from './schema/value-schemas.js';
import { DATABASE_ADDRESS } from './values/ledger-place.js';
import { z } from './zod.js';

const reports = z
  .strictObject({
    folder: checked(folderMistake)
      .default('reports')
      .describe('folder of the reports, relative to the workspace; a folder outside it must exist'),
  })
  .prefault({});

/** Rules between its parts are in `load-config` and `check-sources`. */
export const configSchema = z
  .strictObject({
    ledger: z
      .string()
      .regex(DATABASE_ADDRESS, 'must be the address of a PostgreSQL database, postgres://user@host/database')
      .optional()
      .describe(
        'reference to the variable with the address of the PostgreSQL database that is the ledger; default: registrar.db in the workspace',
      ),
    workspace: nameSchema
      .optional()
      .describe(
        'name of the workspace; the database records it, so that no other workspace uses it. Required with `ledger`',
      ),
    environments: z
      .record(nameSchema, environmentSchema)
      .refine((environments) => Object.keys(environments).length > 0, 'must have at least 1 entry')
      .describe('platform installations by name'),
    sources: z.array(sourceSchema).min(1).describe('feeds of files'),
    reports: reports.describe('where reports are written'),
    schedule: z
      .array(scheduleSchema)
      .default([])
      .describe(
        'what `registrar schedule` does at fixed times, in addition to importing files as they arrive and delivering rows',
      ),
    monitor: monitor.describe('health, metrics and pings, for monitoring'),
    alerts: alertsSchema.describe('whom to notify of problems, and when (see docs/alerts.md)'),
    console: consoleSchema.describe('the console: where it is served, and who may see and do what'),
  })
  .superRefine(({ ledger, workspace }, context) => {
    if (ledger !== undefined && workspace === undefined)
      context.addIssue({ code: 'custom', path: ['workspace'], message: MISSING });
  }, ALWAYS);

export type EnvironmentConfig = z.output<typeof environmentSchema>;
export type SourceConfig = z.output<typeof sourceSchema>;
export type ScheduleConfig = z.output<typeof scheduleSchema>;
export type Config = z.output<typeof configSchema>;
