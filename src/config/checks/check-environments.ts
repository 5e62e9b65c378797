import { nameSchema } from '../schema/value-schemas.js';
import type { EnvironmentConfig } from '../schema.js';
import type { ConfigDraft } from './draft.js';
import type { Mistake } from './mistake.js';

/** The rules for environments that the schema can't express: their names, and rules between two of them. */
export function checkEnvironments(draft: ConfigDraft): readonly Mistake[] {
  const names = Object.keys(draft.environments).flatMap((name) =>
    (nameSchema.safeParse(name).error?.issues ?? []).map(({ message }) => ({
      path: ['environments', name],
      text: message,
    })),
  );
  return [...names, ...checkSharedClients(draft)];
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
