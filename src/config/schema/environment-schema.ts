import { leadsTo } from '../../domain/text/path-segment.js';
import { ADDED_PATHS, type CallShape, KNOWN_CALLS } from '../platform-calls.js';
import { hostAddressMistake, normalizeAddress } from '../values/network/address.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

function address(key: 'baseUrl' | 'authUrl') {
  return v
    .checked((text) => hostAddressMistake(key, text))
    .meta({ title: 'address' })
    .transform(normalizeAddress);
}

const quota = z
  .strictObject({
    requests: v.positiveCount.default(70).describe('requests allowed per period (specification §8)'),
    per: v.positiveDuration.prefault('1m').describe('period of the quota (specification §8)'),
    reserve: v.count.default(0).describe('requests per period kept for reruns by hand'),
  })
  .refine(({ reserve, requests }) => reserve < Math.max(requests, 1), {
    path: ['reserve'],
    message: 'must be smaller than requests, or runs would have none left',
  })
  .transform(({ per: perMs, ...read }) => ({ ...read, perMs }))
  .prefault({});

const retry = z
  .strictObject({
    tries: v.positiveCount
      .default(5)
      .describe('maximum tries of one row when the platform has temporary faults'),
    first: v.duration.prefault('2s').describe('wait before the second try; doubled for each further one'),
    longest: v.duration.prefault('5m').describe('longest wait between two tries'),
  })
  .refine(({ first, longest }) => first <= longest, {
    path: ['first'],
    message: 'is longer than retry.longest; make it shorter, or retry.longest longer',
  })
  .transform(({ first: firstMs, longest: longestMs, ...read }) => ({ ...read, firstMs, longestMs }))
  .prefault({});

const canary = z
  .strictObject({
    rows: v.count.default(50).describe('how many of each file’s first answers are checked; 0: none'),
    maxRejected: v.count
      .default(40)
      .describe('if more of these answers than this are refusals, the rest of the file is held'),
  })
  .refine(({ rows, maxRejected }) => rows === 0 || maxRejected < rows, {
    path: ['maxRejected'],
    message: 'must be smaller than rows (it is 40 by default)',
  })
  .prefault({});

const recheck = z
  .strictObject({
    after: v.positiveDuration
      .prefault('7d')
      .describe('how long after a refusal one row of the learner is sent again'),
    times: v.count
      .default(4)
      .describe('number of rechecks; after the last one the rows stay held until a rerun by hand. 0: none'),
  })
  .transform(({ after: afterMs, ...read }) => ({ ...read, afterMs }))
  .prefault({});

function callShape(shape: CallShape) {
  return z
    .strictObject({
      path: z
        .string()
        .regex(/^\/[^?#\s]*[^/?#\s]$/, 'is not a path such as /api/v2/groups')
        .refine(
          (path) => leadsTo('http://localhost', path),
          'leads to a path other than the one it names; write it without .. and encoded characters',
        )
        .default(shape.path)
        .describe('path below baseUrl'),
      type: v.text.default(shape.type).describe('data.type of the body'),
      attributes: z
        .record(z.string(), v.text)
        .default({})
        .transform((attributes) => ({ ...shape.attributes, ...attributes }))
        .describe('field: name of its attribute, where the two differ'),
    })
    .prefault({});
}

export const environmentKeys = z
  .strictObject({
    baseUrl: address('baseUrl').describe(
      `address of the API, {base_url} of the specification, without ${ADDED_PATHS.baseUrl}`,
    ),
    authUrl: address('authUrl').describe(
      `address of the token host, {auth_url} of the specification, without ${ADDED_PATHS.authUrl}`,
    ),
    clientId: v.text.describe('client id issued to the integration'),
    clientSecret: v.secretReference.describe(
      `a reference to an environment variable, \${NAME}; a literal secret is refused`,
    ),
    clientSecretFile: v.optionalText.describe(
      'file that holds the secret, relative to the workspace; instead of clientSecret',
    ),
    caFile: v.caFile,
    quota: quota.describe('requests allowed for the client id'),
    paused: v.paused('no request is sent'),
    deliverBy: v.timeOfDay
      .optional()
      .describe(
        'time of day by which waiting rows should be delivered, such as 18:00; a run warns when it would end later',
      ),
    timeZone: v.timeZone.optional().describe('IANA zone of deliverBy'),
    pace: z
      .enum(['even', 'burst'])
      .default('even')
      .describe('even: requests are spread over the period; burst: they leave as soon as the quota allows'),
    deadline: v.positiveDuration.prefault('30s').describe('longest time one request may take'),
    inFlight: z.int().min(1).max(256).default(40).describe('maximum requests under way at once'),
    retry: retry.describe('how often and when a row is retried after a temporary fault (5xx, no connection)'),
    unknown: z.enum(['resend', 'hold']).default('resend').describe('what to do when no answer came'),
    resends: v.count
      .default(3)
      .describe(
        'how often, at most, a row is sent again although the platform may have written it: after no answer, or one that a working platform doesn’t give',
      ),
    exists: z
      .enum(['reject', 'accept', 'revive'])
      .default('reject')
      .describe(
        'what to do about 409 "Resource already exists" (specification §3); revive: an existing course is updated, and its obsolete set to false',
      ),
    courses: callShape(KNOWN_CALLS.courses).describe(
      'calls for courses; not shown in the specification (§4.4), publicly known',
    ),
    groups: callShape(KNOWN_CALLS.groups).describe(
      'calls for groups; not shown in the specification (§4.4), publicly known',
    ),
    recheck: recheck.describe('when to recheck a learner whom the platform doesn’t know'),
    canary: canary.describe('holds the rest of a file whose first rows are nearly all refused'),
    outage: v.duration
      .prefault('2m')
      .describe('how long a run waits for a platform that has stopped working'),
  })
  // The machine's zone is UTC on many servers: there a deadline without a zone would silently be hours off.
  .superRefine((environment, context) => {
    v.requireOneSecret(context, environment, 'clientSecret', true);
    if (environment.deliverBy !== undefined && environment.timeZone === undefined)
      context.addIssue({ code: 'custom', path: ['timeZone'], message: v.MISSING });
  }, v.ALWAYS);

export const environmentSchema = environmentKeys.transform(
  ({ deadline: deadlineMs, outage: outageMs, ...read }) => ({ ...read, deadlineMs, outageMs }),
);
