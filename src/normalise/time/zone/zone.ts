import { type Cell, isBlankCell } from '../../../domain/row.js';
import { ABSENT, type Reading, refuse } from '../../reading.js';
import { isPlaceholder, trimText } from '../../values/trim-text.js';
import { type ZoneNames, zoneNamed } from './zone-names.js';

/** The zone of a row's times, from a column that holds zones: an IANA name or an offset such as "+01:00". */
export function readZone(
  cell: Cell | undefined,
  context: { readonly column: string; readonly zones: ZoneNames },
): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  const text = typeof cell === 'string' ? trimText(cell) : null;
  if (text !== null && isPlaceholder(text)) return ABSENT;
  const zone = text === null ? null : zoneNamed(text, context.zones);
  if (zone !== null) return { value: zone };
  return refuse(
    'timestamp-invalid',
    context.column,
    cell,
    'names no single time zone',
    `say which it is: zoneNames: { ${JSON.stringify(text ?? 'EST')}: America/New_York } (for instance) for the source in registrar.yaml`,
  );
}
