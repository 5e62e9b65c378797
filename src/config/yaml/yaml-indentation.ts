/** A fault of the notation, described without any of the file's values: they may be secrets. */
export interface SyntaxMistake {
  readonly line: number;
  readonly text: string;
}

/** Lines that begin in one column because they belong to one map or one list. */
interface Block {
  readonly column: number;
  readonly isList: boolean;
  /** The latest line of it. */
  line: number;
}

/**
 * The first line whose indentation differs from the lines that it can belong with, reported together with the nearest of them;
 * null where there is no such line. Expects block style; it stops at a bracket or a quote that isn't closed on its line.
 */
export function indentationMistake(text: string): SyntaxMistake | null {
  const open: Block[] = [];
  /** The line before is a key without a value: deeper lines may follow. */
  let mayOpen = true;
  /** Deeper lines are text. */
  let textColumn: number | null = null;
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const content = written.trim();
    if (content === '' || content.startsWith('#')) continue;
    const column = written.length - written.trimStart().length;
    if (textColumn !== null && column > textColumn) continue;
    textColumn = null;
    const entry = ENTRY.exec(content);
    const line = index + 1;
    const top = open.at(-1);
    // Words on a line of their own continue the value above.
    if (!entry) {
      if (top && column > top.column) continue;
      return null;
    }
    const { dash = '', key = '', value = '' } = entry.groups ?? {};
    if (isLeftOpen(value)) return null;
    const other = place(open, { column, isList: dash !== '', line }, mayOpen);
    if (other !== null) return { line, text: words(column, other) };
    if (dash !== '' && key !== '') open.push({ column: column + dash.length, isList: false, line });
    mayOpen = value === '' || /^[&!]\S+$/.test(value);
    if (/^[|>]/.test(value)) textColumn = key === '' ? column : column + dash.length;
  }
  return null;
}

/** A list entry, a key, or both, with what follows up to a comment. */
const ENTRY =
  /^(?:(?<dash>-\s+)(?!-\s))?(?:(?<key>"[^"]*"|'[^']*'|[^\s"'{[#&*!|>%@`-][^#]*?|-\S[^#]*?):(?=\s|$))?\s*(?<value>.*?)(?:\s+#.*)?$/;

/** Adds the line to its block; where there is none, returns the block that it was probably meant for. */
function place(open: Block[], { column, isList, line }: Block, mayOpen: boolean): Block | null {
  const left: Block[] = [];
  for (let top = open.at(-1); top && top.column > column; top = open.at(-1)) left.push(open.pop() as Block);
  const above = open.at(-1);
  // The entries of a list may stand right below its key.
  if (above?.column === column && above.isList && !isList && open.at(-2)?.column === column) open.pop();
  const top = open.at(-1);
  if (top?.column === column && top.isList === isList) {
    top.line = line;
    return null;
  }
  const opens = mayOpen && left.length === 0;
  if (opens && (top === undefined || top.column < column || (isList && !top.isList))) {
    open.push({ column, isList, line });
    return null;
  }
  return (
    [...left.reverse(), ...open.slice(-1)].sort(
      (a, b) => Math.abs(a.column - column) - Math.abs(b.column - column) || b.line - a.line,
    )[0] ?? null
  );
}

function isLeftOpen(value: string): boolean {
  if (/^["']/.test(value)) return !/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/.test(value);
  if (!/^[{[]/.test(value)) return false;
  const bare = value.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, '');
  return (bare.match(/[{[]/g) ?? []).length !== (bare.match(/[}\]]/g) ?? []).length;
}

function words(column: number, { column: other, isList, line }: Block): string {
  const spaces = (count: number) => (count === 1 ? '1 space' : `${count} spaces`);
  if (column !== other) {
    return `the indentation differs from line ${line}: ${spaces(column)} before the text here, ${other} there; lines that belong together begin in the same column`;
  }
  return isList
    ? `the indentation is that of the dash in line ${line}; the keys of its entry begin 2 spaces further right`
    : `the indentation of this list entry is that of the keys in line ${line}; it must stand below the key it belongs to`;
}
