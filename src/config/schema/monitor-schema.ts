import { queryAddressMistake } from '../values/network/address.js';
import { listenMistake } from '../values/network/listen-address.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

/** As secret as a password, because a request to it reports success. */
const pingAddress = v
  .checked((address) => queryAddressMistake(address, 'https://hc-ping.com/<uuid>'))
  .meta({ title: 'address', ...v.SECRET });

const ping = z
  .strictObject({
    job: v.nameSchema
      .default('run')
      .describe(
        'the job to report: run (by cron too), report, purge, backup, check; deliver or deliver-<environment>: whether the service delivers waiting rows',
      ),
    url: pingAddress.describe(
      'address requested by GET once the job has succeeded, such as https://hc-ping.com/<uuid>',
    ),
    start: pingAddress.optional().describe('requested when the job begins; default: url with /start'),
    fail: pingAddress.optional().describe('requested when the job has failed; default: url with /fail'),
    caFile: v.caFile,
  })
  .transform((read) => ({
    ...read,
    start: read.start ?? pingBelow(read.url, 'start'),
    fail: read.fail ?? pingBelow(read.url, 'fail'),
  }));

export const monitor = z
  .strictObject({
    listen: v
      .checked(listenMistake)
      .optional()
      .describe(
        'address and port where `registrar schedule` serves /healthz, /readyz and /metrics, such as 127.0.0.1:9464; without it, only at console.listen',
      ),
    pings: z.array(ping).default([]).describe('addresses to request when jobs begin, succeed and fail'),
  })
  .prefault({});

export type PingConfig = z.output<typeof ping>;

/** `/start` comes before a query. */
function pingBelow(address: string, step: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${step}`;
  return url.href;
}
