import { parseAst } from 'rolldown/parseAst';

/** A text for people, and the line where it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

/**
 * Strings, templates and comments of a TypeScript source; names aren't among them. A string without a blank is a code, and is
 * left out, as are code between backticks, SQL, and a column with its alias. A value in a template becomes an ellipsis.
 */
export function proseOfSource(source: string): Prose[] {
  return proseOf(source, () => true);
}

/** Comments of a TypeScript source and the titles of its tests; its other strings are test data. */
export function proseOfTest(source: string): Prose[] {
  const titles = new Set<unknown>();
  return proseOf(
    source,
    (node) => titles.has(node),
    ({ type, callee, arguments: args }) => {
      if (type === 'CallExpression' && isRunner(callee)) titles.add(args?.[0]);
    },
  );
}

/** Whether a call is one of `it`, `test` and `describe`, or of a form such as `it.each(rows)` and `describe.skipIf(x)`. */
function isRunner(callee: Node | undefined): boolean {
  if (callee === undefined) return false;
  return (
    /^(?:it|test|describe)$/.test(callee.name ?? '') || isRunner(callee.object ?? callee.callee ?? callee.tag)
  );
}

/** @param see gets each node before those inside it. */
function proseOf(
  source: string,
  isString: (node: Node) => boolean,
  see: (node: Node) => void = () => {},
): Prose[] {
  const strings: { start: number; text: string }[] = [];
  const queries = new Set<unknown>();
  let rest = source;
  visit(parseAst(source, { lang: 'ts' }), (node) => {
    const { type, start = 0, end = 0, value, regex, quasis, tag, quasi } = node as Node;
    see(node);
    if (type === 'TaggedTemplateExpression' && tag?.name === 'sql') queries.add(quasi);
    // Masked, so that an address in a string begins no comment.
    if (type === 'TemplateElement' || (type === 'Literal' && (typeof value === 'string' || regex)))
      rest = rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, 'x') + rest.slice(end);
    if (type === 'Literal' && typeof value === 'string' && isString(node))
      strings.push({ start, text: value });
    if (type === 'TemplateLiteral' && !queries.has(node) && isString(node))
      strings.push({ start, text: (quasis ?? []).map((quasi) => quasi.value.cooked ?? '').join('…') });
  });
  const comments = [...rest.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ 0: text, index: start }) => ({
    start,
    text: source.slice(start, start + text.length).replace(/\n\s*(?:\*(?!\/) ?)?/g, ' '),
  }));
  return [...strings.filter(({ text }) => /\s/.test(text) && !/^[\w.]+ as \w+$/.test(text)), ...comments]
    .sort((one, other) => one.start - other.start)
    .map(({ start, text }) => ({
      line: source.slice(0, start).split('\n').length,
      text: text.replace(/`[^`]*`/g, '…'),
    }));
}

/** The paragraphs of a Markdown document, without fences and code between backticks. */
export function proseOfDocument(document: string): Prose[] {
  const withoutCode = document
    .replace(/^```[\s\S]*?^```/gm, (fence) => fence.replace(/[^\n]/g, ''))
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '…'));
  return withoutCode
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }))
    .reduce<Prose[]>((paragraphs, { line, text }) => {
      const before = paragraphs.at(-1);
      if (before === undefined || before.text === '' || /^(?:$|\||#|- )/.test(text))
        paragraphs.push({ line, text });
      else paragraphs[paragraphs.length - 1] = { line: before.line, text: `${before.text} ${text}` };
      return paragraphs;
    }, []);
}

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly end?: number;
  readonly value?: unknown;
  readonly regex?: unknown;
  readonly name?: string;
  readonly callee?: Node;
  readonly object?: Node;
  readonly arguments?: readonly unknown[];
  readonly tag?: Node;
  readonly quasi?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

function visit(node: unknown, see: (node: object) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  if (!Array.isArray(node)) see(node);
  for (const member of Object.values(node)) visit(member, see);
}
