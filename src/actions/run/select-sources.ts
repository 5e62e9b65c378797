import type { Config, SourceConfig } from '../../config/schema.js';
import { readState } from '../../ledger/books/state/read-state.js';
import type { Ledger } from '../../ledger/store/query.js';

/** The sources with these names; all sources where no name is given. A source that is paused is not among them. */
export function selectSources(config: Config, names: readonly string[]): readonly SourceConfig[] {
  return config.sources.filter(
    ({ name, paused }) => paused === undefined && (names.length === 0 || names.includes(name)),
  );
}

/**
 * Names of the environments to push to: the environments of the sources; where all sources run, also every other
 * environment with rows that wait.
 * @param ledger null where there has never been a ledger.
 */
export async function environmentsOf(
  ledger: Ledger | null,
  config: Config,
  names: readonly string[],
): Promise<readonly string[]> {
  const ofSources = selectSources(config, names).map(({ environment }) => environment);
  if (names.length > 0 || ledger === null) return [...new Set(ofSources)];
  const waiting = (await readState(ledger, ['work'])).work.waiting.filter(
    (name) => config.environments[name],
  );
  return [...new Set([...ofSources, ...waiting])];
}
