import type { Field, Operation } from '../../operations/operation.js';
import type { FoundHeader } from './find-header.js';

/** The operation's first field of a kind, and its column: `index` is -1 where it has none. */
export function fieldOf(kind: Field['kind'], operation: Operation, header: FoundHeader) {
  const name = operation.fields.find((field) => field.kind === kind)?.name ?? null;
  const column = name === null ? undefined : header.match.mapped[name];
  return { name, column: column ?? null, index: column?.index ?? -1, label: column?.header ?? name ?? '' };
}
