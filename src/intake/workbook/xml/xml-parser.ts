/** The attributes of one start tag, by their names as written. */
export type XmlAttributes = ReadonlyMap<string, string>;

/** Whether an attribute's text is a truth (ECMA-376 part 1, 22.9.2.7). */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

/** The events of a parser, in document order. Names are as written; comments and instructions are left out. */
export interface XmlEvents {
  open(name: string, attributes: XmlAttributes): void;
  /** A piece of text; one element's text may come in several. */
  text(text: string): void;
  close(name: string): void;
  /**
   * A short cut, called at every `<` within the root. It may read the element that begins at `start`, and
   * following ones, in a form that it knows, and returns the position after them; -1 leaves the element to the parser. The
   * elements that it reads must be complete and well-formed.
   */
  shortcut?(source: string, start: number): number;
}

/**
 * Reads a document of XML 1.0 piece by piece. Both methods throw `XmlFault` for what isn't well-formed. A piece never
 * ends within a surrogate pair, as no text decoder's does.
 */
export interface XmlParser {
  write(text: string): void;
  end(): void;
}

/**
 * A tag, a text or a comment is kept in memory until it ends, so one that doesn't end is a fault. A cell holds 32,767
 * characters at most, and lists of ranges in attributes reach some 100,000.
 */
export const TOKEN_CHARS_MAX = 1024 * 1024;

/** A document that is not read: not well-formed, or with a document type, which could define entities. */
export class XmlFault extends Error {
  readonly kind: 'malformed' | 'doctype';

  constructor(kind: XmlFault['kind'], message: string) {
    super(message);
    this.name = 'XmlFault';
    this.kind = kind;
  }
}

/** The fault of a document that isn't well-formed; `what` says which of its pieces, and why. */
export function malformed(what: string): XmlFault {
  return new XmlFault('malformed', what);
}
