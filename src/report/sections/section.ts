import { counted, numberText } from '../text/counted.js';

/** A part of a report as data, which each medium renders in its own way. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly note?: RichText;
  readonly items?: readonly Item[];
  readonly tables?: readonly Table[];
}

/** One thing that people should know: what it is, more about it, and what only some readers need. */
export interface Item {
  /** Its state in a word; absent: none is shown. */
  readonly chip?: { readonly text: string; readonly tone: 'good' | 'bad' };
  readonly lead: RichText;
  readonly text: RichText;
  readonly note?: RichText;
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly {
    readonly title: string;
    readonly isNumber?: boolean;
    readonly isShort?: boolean;
  }[];
  readonly rows: readonly TableRow[];
  /** The most rows on a page; the JSON document has all of them. Absent: all. */
  readonly maxRows?: number;
  readonly look?: 'files' | 'settings' | 'list';
  /** True: a page shows it on demand, and the terminal leaves it out. */
  readonly isFolded?: boolean;
}

export interface TableRow {
  readonly cells: readonly (RichText | Counts)[];
  readonly drop?: number;
}

/** Numbers with what each counts; those that are 0 are left out. */
export interface Counts {
  /** The group of the names, as the JSON document calls it. */
  readonly of: string;
  readonly counts: readonly (readonly [name: string, value: number | string])[];
}

export type RichText = Piece | readonly Piece[];

export type Piece = string | number | Figure | Named;

export interface Figure {
  readonly figure: string;
  readonly value: number;
  /** What it counts; absent: the number alone. */
  readonly noun?: string;
  /** The word in place of the number: "Nothing". */
  readonly word?: string;
}

/** Text from a file, a code to be copied, an ISO time, or a row of which the console has a page: `17`, or `3:217` for a line. */
export interface Named {
  readonly kind: 'name' | 'code' | 'time' | 'row';
  readonly text: string;
  /** What replaces it where texts may end up in a log; absent: the text itself. */
  readonly alias?: string;
}

export function plainText(content: RichText | Counts): string {
  if (typeof content !== 'object') return String(content);
  if ('counts' in content) {
    return content.counts
      .map(([name, value]) => (content.of === '' ? `${name} ${value}` : `${value} ${name}`))
      .join(', ');
  }
  if ('figure' in content) {
    const { value, noun, word } = content;
    return word ?? (noun === undefined ? numberText(value) : counted(value, noun));
  }
  return 'text' in content ? (content.alias ?? content.text) : content.map(plainText).join('');
}

export function countsOf<Name extends string>(
  of: string,
  names: readonly Name[],
  numbers: Readonly<Partial<Record<Name, number>>>,
): Counts {
  return {
    of,
    counts: names.map((name) => [name, numbers[name] ?? 0] as const).filter(([, value]) => value > 0),
  };
}

export function code(text: string): Named {
  return { kind: 'code', text };
}

export function name(text: string, alias: string = text): Named {
  return alias === text ? { kind: 'name', text } : { kind: 'name', text, alias };
}

export function time(text: string): Named {
  return { kind: 'time', text };
}
