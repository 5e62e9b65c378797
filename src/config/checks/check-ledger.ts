import type { Mistake } from './mistake.js';

/** The rule between the ledger's database and the workspace's name. */
export function checkLedger(config: { readonly ledger?: unknown; readonly workspace?: unknown }): Mistake[] {
  if (config.ledger === undefined || config.workspace !== undefined) return [];
  const text =
    'is missing: the database of `ledger` remembers the name, so that no other workspace uses it by mistake';
  return [{ path: ['workspace'], text }];
}
