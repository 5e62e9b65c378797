import { domainToASCII } from 'node:url';
import { isEmailType } from '../../domain/learners/learner.js';
import { type Cell, isBlankCell } from '../../domain/row.js';
import { garbling } from '../../domain/text/garbled-text.js';
import { visibleText } from '../../domain/text/visible-text.js';
import type { Field, Operation } from '../../operations/operation.js';
import { readIdentifier } from './identifier.js';
import { ABSENT, type Reading, refuseFor } from './reading.js';
import { isPlaceholder, trimText, unprotected } from './trim-text.js';

/** Longest local part and longest address in bytes (RFC 5321 §4.5.3.1, RFC 3696 erratum 1690). */
const LONGEST_LOCAL_BYTES = 64;
const LONGEST_ADDRESS_BYTES = 254;

/** With a display name around it; whatever is longer is prose. */
const LONGEST_CELL = 1_000;

/**
 * One e-mail address, in lower case, its domain in ASCII form (IDNA). `mailto:`, a display name, quotes, `="…"` and a trailing separator
 * come off; plus tags and dots stay, because they may distinguish people.
 */
export function readEmail(cell: Cell | undefined, context: { readonly column: string }): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  if (typeof cell !== 'string') return invalid(cell, context.column, 'it is not text');
  if (isPlainAddress(cell)) return { value: cell };
  const simple = trimText(cell).toLowerCase();
  if (isPlainAddress(simple)) return { value: simple };
  if (cell.length > LONGEST_CELL) return invalid(cell, context.column, 'it is too long');
  const address = unwrap(trimText(cell));
  if (address === '' || isPlaceholder(address)) return ABSENT;
  const garbled = garbling(address);
  if (garbled !== null) return invalid(cell, context.column, `it ${garbled}`);
  const parsed = parse(address);
  return 'fault' in parsed ? invalid(cell, context.column, parsed.fault) : { value: parsed.address };
}

function invalid(cell: Cell | undefined, column: string, fault: string) {
  return refuseFor('not-an-address', column, cell, { fault });
}

function unwrap(cell: string): string {
  let text = cell;
  for (;;) {
    let next = trimText(text.replace(/[;,]$/, '')).replace(/^mailto:/i, '');
    const named = /^([^<>]*)<([^<>]*)>$/.exec(next);
    // An address as display name is kept, so that the row is refused for holding two.
    if (named && !named[1]?.includes('@')) next = named[2] ?? '';
    next = trimText(unprotected(next));
    if (next === text) return text;
    text = next;
  }
}

/** True for the ordinary address, in nearly every row, that needs no further reading. */
export function isPlainAddress(text: string): boolean {
  return text.length <= LONGEST_LOCAL_BYTES && PLAIN_ADDRESS.test(text);
}

const PLAIN_ADDRESS = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;

type Parsed = { readonly address: string } | { readonly fault: string };

function parse(text: string): Parsed {
  const [local = '', domain, ...more] = text.split('@');
  if (domain === undefined) return { fault: 'it has no @' };
  if (more.length > 0) return { fault: 'it has more than one @' };
  if (/\s/.test(text)) return { fault: 'it has a space inside' };
  // The domain is checked before IDNA, which would decode `%41` and turn other writings of dots and numbers into an address.
  const stray = NOT_LOCAL.exec(local) ?? NOT_DOMAIN.exec(domain);
  if (stray) return { fault: `"${visibleText(stray[0])}" is not allowed there` };
  const dotted = domain.replace(/[\u3002\uff0e\uff61]/g, '.');
  if (![local, dotted].every((part) => DOTTED.test(part))) {
    return { fault: 'a part of it is empty: something is missing beside the @ or a dot' };
  }
  if (!dotted.includes('.')) return { fault: 'its domain has no dot' };
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  if (
    ascii.length > 253 ||
    !labels.every((label) => LABEL.test(label)) ||
    !TOP_LEVEL.test(labels.at(-1) ?? '')
  )
    return { fault: `no domain can be "${visibleText(domain)}"` };
  const folded = local.normalize('NFC').toLowerCase().normalize('NFC');
  const localBytes = Buffer.byteLength(folded);
  return localBytes > LONGEST_LOCAL_BYTES || localBytes + 1 + ascii.length > LONGEST_ADDRESS_BYTES
    ? { fault: 'it is too long' }
    : { address: `${folded}@${ascii}` };
}

const NOT_LOCAL = /[^\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
const NOT_DOMAIN = /[^\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]/u;
const DOTTED = /^[^.]+(?:\.[^.]+)*$/;
/** Two hyphens after two letters are reserved for encodings (RFC 5891 §4.2.3.1), and xn-- is the only one. */
const LABEL = /^(?:(?=xn--)|(?!..--))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LEVEL = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

export function readLearnerId(
  type: string,
  cell: Cell | undefined,
  context: { readonly column: string },
): Reading<string> {
  return (isEmailType(type) ? readEmail : readIdentifier)(cell, context);
}

/** The field that says how a learner field is to be understood; null where the operation has none. */
export function identifierTypeField(operation: Operation, learner: Field): Field | null {
  return operation.fields.find((field) => field.implied?.by === learner.name) ?? null;
}
