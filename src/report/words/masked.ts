import { maskAddresses, maskQuoted, maskRefusal, maskText } from './mask.js';

/**
 * A document for a reader who may see no personal data. Members are masked by their names, as the lists below say; a text in
 * none of them is masked like a learner's, so that a new one is hidden until it is added to a list. Numbers, flags and times
 * stay.
 * @param document plain data; anything else in it is left out.
 */
export function masked<Document>(document: Document): Document {
  return within(document, '', '') as Document;
}

/** Written by people or the platform, and headers. `a.b` is the member b of a alone. */
const LEFT_OUT = namesIn(
  'because people assigned muted.who closure.who corrections altered.shown header mapping issues.value',
);

/** They name people by addresses only. */
const OPEN = namesIn(
  // Kinds and states.
  'kind operation environment state states standing disposition code codes cause verdict exit part check trigger',
  'end ending outcome door action event from to acceptedAs heldReason platformCode errorCode failure bodyState',
  'format settings field unknown.type near.why equation over time timeZone next',
  // Where it is: names of sources, files, sheets, columns and fields.
  'source way file firstFile repeatedNames fileName sheet sheetsLeft.name column rows fields.name drop example examples',
  'path folder remoteInboxes.place results.place subject sharedWith stranded what reportFolder job work.name leases.name channel host',
  // What a program has named, and hashes.
  'key slot sha256 learners version registrar node sqlite schema migrations.name',
  // Who decides, and is no learner.
  'who',
  // Registrar's own words, and settings.
  'reason why when command commands title alerts.text open.text zones.text problem error',
  'parts.name settings.key settings.value default meaning',
);

/** Sentences of Registrar's that may quote a cell or a header. */
const SENTENCES = namesIn('message sentence remedy');

/** A sentence about a file: what it quotes may be a well-known header. */
const REFUSALS = namesIn('refusal');

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** @param owner the name of the member that holds the one called `member`. Entries of a list are called like the list. */
function within(value: unknown, member: string, owner: string): unknown {
  const isIn = (names: ReadonlySet<string>) => names.has(member) || names.has(`${owner}.${member}`);
  if (value === undefined) return value;
  if (isIn(LEFT_OUT)) return omitted(value);
  if (typeof value === 'string') {
    if (isIn(OPEN)) return maskAddresses(value);
    if (isIn(SENTENCES)) return maskQuoted(value);
    if (isIn(REFUSALS)) return maskRefusal(value);
    return TIME.test(value) ? value : maskText(value);
  }
  return mapped(value, (entry, name) => within(entry, name ?? member, name === null ? owner : member));
}

/** Like the text that it replaces. */
function omitted(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : null;
}

/** @param change is given each entry, and its name where it is a member. */
function mapped(value: unknown, change: (entry: unknown, name: string | null) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => change(entry, null));
  if (Object.getPrototypeOf(value) !== Object.prototype) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskAddresses(key), change(entry, key)]),
  );
}

function namesIn(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
