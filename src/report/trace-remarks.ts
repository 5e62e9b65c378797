import type { NamedDrop } from '../ledger/trace/find-traces.js';
import { settlementText } from './settlement-words.js';

/** What is known besides of the drops that were asked about: sentences. */
export function remarksOn(named: readonly NamedDrop[]): readonly string[] {
  return named.flatMap(({ drop, line, settlement }) => {
    const label = `${drop.file} (drop ${drop.dropId})`;
    if (drop.state === 'refused') {
      return [`${label} was set aside as a whole${settlementText(settlement)}: ${drop.refusal}`];
    }
    if (drop.state === 'staging') return [`${label} is being staged.`];
    return drop.headerLine === line ? [`Line ${line} of ${label} is its header.`] : [];
  });
}
