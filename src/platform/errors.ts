/** The first entry of an answer in the error format (specification §7); a member is null where it gives none. */
export interface PlatformError {
  readonly id: string | null;
  readonly code: string | null;
  readonly title: string | null;
  readonly detail: string | null;
  /** The offending input. Personal data, like `detail`. */
  readonly source: string | null;
}

/**
 * Reads a parsed body leniently: members may be missing or of other types, and only a body without any entry is null.
 * An entry's `status` is left out: the answer's own says it.
 */
export function parseError(body: unknown): PlatformError | null {
  if (!isObject(body)) return null;
  const errors = body.errors;
  const entry = Array.isArray(errors) ? errors[0] : errors;
  if (typeof entry === 'string' && entry !== '') {
    return { id: null, code: null, title: null, detail: entry, source: null };
  }
  if (!isObject(entry)) return null;
  return {
    id: text(entry.id),
    code: text(entry.code),
    title: text(entry.title),
    detail: text(entry.detail),
    source: text(entry.source),
  };
}

function text(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
