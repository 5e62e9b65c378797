import type { NamedDrop } from '../../ledger/trace/find-traces.js';
import { closureText } from '../words/closure-words.js';

/** What is known besides of the drops that were asked about: sentences. */
export function remarksOn(named: readonly NamedDrop[]): readonly string[] {
  return named.flatMap(({ drop, line, closure }) => {
    const label = `${drop.file} (drop ${drop.dropId})`;
    if (drop.state === 'refused') {
      return [`${label} was set aside as a whole${closureText(closure)}: ${drop.refusal}`];
    }
    if (drop.state === 'staging') return [`${label} is being staged.`];
    return drop.headerLine === line ? [`Line ${line} of ${label} is its header.`] : [];
  });
}
