import { isObject } from '../../domain/text/is-object.js';
import { impersonal } from './redact.js';

/**
 * The first entry of an answer in the error format (specification §7); a member is null where it gives none. None is
 * longer than a page of text: what comes after is in the kept body.
 */
export interface PlatformError {
  readonly id: string | null;
  /** Without the person, like `id` and `title`: all three stay when the person is erased. */
  readonly code: string | null;
  readonly title: string | null;
  readonly detail: string | null;
  /** The offending input. Personal data, like `detail`. */
  readonly source: string | null;
}

/**
 * Reads a parsed body leniently: members may be missing or of other types, and only a body without any entry is null.
 * An entry's `status` is left out: the answer's own says it.
 * @param personal values of the request that say whom it is about.
 */
export function parseError(body: unknown, personal: readonly string[] = []): PlatformError | null {
  if (!isObject(body)) return null;
  const errors = body.errors;
  const entry = Array.isArray(errors) ? errors[0] : errors;
  if (typeof entry === 'string' && entry !== '') {
    return { id: null, code: null, title: null, detail: textOf(entry), source: null };
  }
  if (!isObject(entry)) return null;
  const without = (value: unknown, values: readonly string[]) => {
    const text = textOf(value);
    return text === null ? null : impersonal(text.slice(0, LONGEST_NAME), values);
  };
  return {
    // A number of it may happen to be the person's.
    id: without(entry.id, []),
    code: without(entry.code, personal),
    title: without(entry.title, personal),
    detail: textOf(entry.detail),
    source: textOf(entry.source),
  };
}

/** Of an identifier, a code or a title nobody needs more. */
const LONGEST_NAME = 300;

const LONGEST_TEXT = 8_192;

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(withinDepth(value, DEEPEST));
  return text.slice(0, LONGEST_TEXT).replace(HALF_AT_END, '');
}

const HALF_AT_END = /[\ud800-\udbff]$/;

/** Levels of what should have been a text; whatever nests thousands deep would exhaust the stack of who writes it. */
const DEEPEST = 8;

function withinDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((one) => withinDepth(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withinDepth(one, levels - 1)]));
}
