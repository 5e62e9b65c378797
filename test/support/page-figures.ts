/** A `data` element of a report's page. */
interface PageFigure {
  readonly value: number;
  /** What the element shows. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The numbers of a report's page, in the order of the page. */
function pageFigures(page: string): PageFigure[] {
  return [...page.matchAll(/<data([^>]*)>([^<]*)<\/data>/g)].map(([, written = '', text = '']) => {
    const { value, ...attributes } = Object.fromEntries(
      [...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, content]) => [name, content ?? '']),
    ) as Record<string, string>;
    return { value: Number(value), text, attributes };
  });
}

/** The value of each named figure. Throws when two of one name differ, or one shows another number than it is. */
export function namedFigures(page: string): Record<string, number> {
  const values: Record<string, number> = {};
  for (const { value, text, attributes } of pageFigures(page)) {
    const { 'data-figure': name, 'data-code': code, 'data-state': state } = attributes;
    if (name === undefined) continue;
    const full = [name, code, state].filter((part) => part !== undefined).join(' ');
    // A zero may be shown as a word: "Nothing", "duplicate".
    if (/\d/.test(text) && Number(text.replaceAll(',', '')) !== value) {
      throw new Error(`${full} is ${value} and shows "${text}"`);
    }
    if ((values[full] ?? value) !== value) throw new Error(`${full} is ${values[full]} and ${value}`);
    values[full] = value;
  }
  return values;
}
