import { malformed, type XmlAttributes, type XmlEvents } from './xml-parser.js';

/** What happens while a part is read. Names are local ones, without prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: XmlAttributes): void;
  /** A piece of text; one element's text may come in several. */
  text?(text: string): void;
  close?(name: string): void;
  /** As in `XmlEvents`; asked only where an element without prefix belongs to the vocabulary. */
  shortcut?(source: string, start: number): number;
}

/**
 * Passes on the elements in the root's namespace, whatever their prefix, and the text in them. Elements of another vocabulary
 * (extensions) are left out with all their content. An undeclared prefix is a namespace of its own.
 */
export function ownVocabulary(handlers: XmlHandlers): XmlEvents {
  /** Local names of the open elements. */
  const locals: string[] = [];
  /** The declared namespaces, innermost last, each with the depth of its declaration. */
  const declared: { readonly depth: number; readonly prefix: string; readonly namespace: string }[] = [];
  let root: string | null = null;
  let foreignDepth = 0;
  /** Most elements have the prefix of the one before. */
  let ownPrefix: string | null = null;

  function isOwn(prefix: string): boolean {
    if (prefix === ownPrefix) return true;
    const namespace =
      declared.findLast((each) => each.prefix === prefix)?.namespace ?? (prefix && `undeclared ${prefix}`);
    root ??= namespace;
    if (namespace !== root) return false;
    ownPrefix = prefix;
    return true;
  }

  function declare(attributes: XmlAttributes): void {
    ownPrefix = null;
    for (const name of attributes.names()) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const prefix = name.slice('xmlns:'.length);
      declared.push({ depth: locals.length, prefix, namespace: (attributes.get(name) ?? '').trim() });
    }
  }

  function forgetDeclarations(): void {
    if (declared.length === 0 || declared[declared.length - 1]?.depth !== locals.length) return;
    ownPrefix = null;
    while (declared[declared.length - 1]?.depth === locals.length) declared.pop();
  }

  return {
    shortcut(source, start) {
      if (ownPrefix !== '' || foreignDepth > 0 || handlers.shortcut === undefined) return -1;
      return handlers.shortcut(source, start);
    },
    open(name, attributes) {
      if (foreignDepth + locals.length >= DEPTH_MAX) throw malformed('elements nested too deeply');
      if (foreignDepth > 0) {
        foreignDepth += 1;
        return;
      }
      if (attributes.declareNamespace) declare(attributes);
      const colon = name.indexOf(':');
      if (isOwn(colon < 0 ? '' : name.slice(0, colon))) {
        const local = colon < 0 ? name : name.slice(colon + 1);
        locals.push(local);
        handlers.open?.(local, attributes);
      } else {
        forgetDeclarations();
        foreignDepth = 1;
      }
    },
    text(text) {
      if (foreignDepth === 0) handlers.text?.(text);
    },
    close() {
      if (foreignDepth > 0) {
        foreignDepth -= 1;
        return;
      }
      const local = locals.pop() ?? '';
      forgetDeclarations();
      handlers.close?.(local);
    },
  };
}

/** Workbooks nest about ten deep. */
const DEPTH_MAX = 256;
