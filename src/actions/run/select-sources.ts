import type { Config, SourceConfig } from '../../config/schema.js';
import { waitingEnvironments } from '../../ledger/claims.js';
import type { Ledger } from '../../ledger/query.js';

/** The sources of these names; all of them where none is named. */
export function selectSources(config: Config, names: readonly string[]): readonly SourceConfig[] {
  return names.length === 0 ? config.sources : config.sources.filter(({ name }) => names.includes(name));
}

/**
 * Names of the environments to push to: those of the sources, and where all sources run, every one that has rows waiting.
 * @param ledger null where there has never been one.
 */
export function environmentsOf(
  ledger: Ledger | null,
  config: Config,
  names: readonly string[],
): readonly string[] {
  const named = selectSources(config, names).map(({ environment }) => environment);
  if (names.length > 0 || ledger === null) return [...new Set(named)];
  const waiting = waitingEnvironments(ledger).filter((name) => config.environments[name]);
  return [...new Set([...named, ...waiting])];
}
