import type { PlatformError } from '../../domain/environment/platform-response.js';
import { isObject } from '../../domain/text/is-object.js';
import { impersonal } from './redact.js';

/**
 * Reads a parsed body leniently: members may be missing or of other types. Returns null only for a body without any entry.
 * An entry's `status` is left out, because the answer's own status says it.
 * @param personal values of the request that name its learner.
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
    // Values of the request are not taken out: a number in the id may equal the person's by chance.
    id: without(entry.id, []),
    code: without(entry.code, personal),
    title: without(entry.title, personal),
    detail: textOf(entry.detail),
    source: textOf(entry.source),
  };
}

const LONGEST_NAME = 300;

const LONGEST_TEXT = 8_192;

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : jsonOf(value);
  // Without half a character at its end.
  return text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '');
}

/** A value that should have been a text; one that nests thousands deep exhausts the stack. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}
