import { nameSchema } from '../schema/value-schemas.js';
import type { EnvironmentConfig } from '../schema.js';
import type { ConfigDraft, EnvironmentDraft } from './draft.js';
import type { Mistake, Path } from './mistake.js';

/** The rules for environments that the schema can't express: names, secrets, and rules between two values. */
export function checkEnvironments(draft: ConfigDraft): readonly Mistake[] {
  const alone = Object.entries(draft.environments).flatMap(([name, environment]) => {
    const path = ['environments', name];
    return [
      ...checkName(name, path),
      ...checkSecret(environment.given, path),
      ...checkQuota(environment.quota, path),
      ...checkRetry(environment.retry, path),
      ...checkCanary(environment.canary, path),
      ...checkDeliverBy(environment, path),
    ];
  });
  return [...alone, ...checkSharedClients(draft)];
}

function checkName(name: string, path: Path): Mistake[] {
  const issue = nameSchema.safeParse(name).error?.issues[0];
  return issue ? [{ path, text: issue.message }] : [];
}

function checkSecret(keys: readonly string[] | null, path: Path): Mistake[] {
  if (keys === null) return [];
  const reference = keys.includes('clientSecret');
  const file = keys.includes('clientSecretFile');
  if (reference && file) {
    return [
      {
        path: [...path, 'clientSecretFile'],
        text: 'can’t be combined with clientSecret; keep one of the two',
      },
    ];
  }
  if (reference || file) return [];
  const text = `is missing: write \${NAME} of an environment variable, or give clientSecretFile`;
  return [{ path: [...path, 'clientSecret'], text }];
}

function checkQuota(quota: EnvironmentConfig['quota'] | undefined, path: Path): Mistake[] {
  if (quota === undefined || quota.reserve < quota.requests) return [];
  const text = `leaves nothing of ${quota.requests} requests for runs; it must be smaller`;
  return [{ path: [...path, 'quota', 'reserve'], text, showValue: true }];
}

function checkRetry(retry: EnvironmentConfig['retry'] | undefined, path: Path): Mistake[] {
  if (retry === undefined || retry.firstMs <= retry.longestMs) return [];
  return [
    {
      path: [...path, 'retry', 'first'],
      text: 'is longer than retry.longest; make it shorter, or retry.longest longer',
      showValue: true,
    },
  ];
}

function checkCanary(canary: EnvironmentConfig['canary'] | undefined, path: Path): Mistake[] {
  if (canary === undefined || canary.rows === 0 || canary.maxRejected < canary.rows) return [];
  const text = `is ${canary.maxRejected} and never exceeded by ${canary.rows} rows; it must be smaller than rows`;
  return [{ path: [...path, 'canary', 'maxRejected'], text }];
}

/** The machine's zone is UTC on many servers: there a deadline without a zone would silently be hours off. */
function checkDeliverBy(
  { given: keys, deliverBy }: Pick<EnvironmentDraft, 'given' | 'deliverBy'>,
  path: Path,
): Mistake[] {
  if (deliverBy === undefined || keys?.includes('timeZone')) return [];
  const text = `is missing: deliverBy ${deliverBy} needs the IANA time zone of its clock, such as Europe/Berlin`;
  return [{ path: [...path, 'timeZone'], text }];
}

/** The platform counts per client id, whatever the environment, so one client id has one quota. */
function checkSharedClients(draft: ConfigDraft): Mistake[] {
  const first = new Map<string, { name: string; quota: EnvironmentConfig['quota'] }>();
  return Object.entries(draft.environments).flatMap(([name, { clientId, quota }]) => {
    if (clientId === undefined || quota === undefined) return [];
    const other = first.get(clientId) ?? { name, quota };
    first.set(clientId, other);
    if (JSON.stringify(other.quota) === JSON.stringify(quota)) return [];
    const text = `differs from environments.${other.name}.quota, but ${name} and ${other.name} have the same client id and the platform counts per client id; give both the same`;
    return [{ path: ['environments', name, 'quota'], text }];
  });
}
