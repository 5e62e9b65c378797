/** Widest line for a terminal: what it wraps by itself is cut within words. */
export const TERMINAL_WIDTH = 80;

/**
 * Breaks a line between words so that it fits a terminal, where words allow it; all lines but the first get the indent.
 * @param mostLines an ellipsis stands for those that are too many.
 */
export function wrapText(text: string, indent = '  ', mostLines = Number.POSITIVE_INFINITY): string {
  const lead = /^ */.exec(text)?.[0] ?? '';
  const [first = '', ...words] = text.slice(lead.length).split(' ');
  const lines = [lead + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length > TERMINAL_WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = longer;
  }
  const shown = lines.slice(0, mostLines);
  if (shown.length < lines.length) shown.push(cutLine(`${shown.pop() ?? ''} …`));
  return shown.join('\n');
}

/** The line as far as it fits a terminal, with an ellipsis for the rest. */
export function cutLine(line: string): string {
  return line.length > TERMINAL_WIDTH ? `${line.slice(0, TERMINAL_WIDTH - 1)}…` : line;
}
