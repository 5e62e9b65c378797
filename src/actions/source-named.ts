import type { Config, SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';

/** The source of that name; an error that lists the names when there is none. */
export function sourceNamed(config: Config, name: string): SourceConfig {
  const source = config.sources.find((candidate) => candidate.name === name);
  if (source) return source;
  throw new OperatorError({
    operation: 'choose a source',
    subject: name,
    message: `registrar.yaml has no source "${name}"`,
    hint: `It has: ${config.sources.map((known) => known.name).join(', ')}.`,
  });
}
