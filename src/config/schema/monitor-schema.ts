import { listenMistake } from '../values/network/listen-address.js';
import { pingBelow, pingMistake } from '../values/network/ping-address.js';
import { z } from '../zod.js';
import { checked, nameSchema } from './value-schemas.js';

const pingAddress = z
  .string()
  .superRefine((text, context) => {
    const mistake = pingMistake(text);
    if (mistake !== null)
      context.addIssue({ code: 'custom', message: mistake.text, params: { showValue: false } });
  })
  .meta({ title: 'address' });

/** A dead man's switch: who hears nothing from a job raises the alarm. */
const ping = z
  .strictObject({
    job: nameSchema
      .default('run')
      .describe(
        'the job to report: run (by cron too), report, purge, backup, check; deliver or deliver-<environment>: whether the service delivers waiting rows',
      ),
    url: pingAddress.describe(
      'address requested by GET once the job has succeeded, such as https://hc-ping.com/<uuid>',
    ),
    start: pingAddress.optional().describe('address requested when the job begins; else url with /start'),
    fail: pingAddress.optional().describe('address requested when the job has failed; else url with /fail'),
    caFile: z
      .string()
      .min(1)
      .optional()
      .describe('file of certificates (PEM) of authorities to trust for these; relative to the workspace'),
  })
  .transform((read) => ({
    ...read,
    start: read.start ?? pingBelow(read.url, 'start'),
    fail: read.fail ?? pingBelow(read.url, 'fail'),
  }));

/** How others see whether the program works. */
export const monitor = z
  .strictObject({
    listen: checked(listenMistake)
      .optional()
      .describe(
        'address and port where `registrar schedule` serves /healthz, /readyz and /metrics, such as 127.0.0.1:9464; else nowhere',
      ),
    pings: z.array(ping).default([]).describe('addresses to request when jobs begin, succeed and fail'),
  })
  .prefault({});

/** The addresses of one job. */
export type PingConfig = z.output<typeof ping>;
