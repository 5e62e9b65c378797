import { cells, table } from './markdown.js';

/** One field that a page documents: `files[].states.<state>` and its type. */
interface DocumentedField {
  readonly path: string;
  /** `text`, `number or null`, `object or absent`, … */
  readonly type: string;
}

/** Sections of the page that describe the value at a path, beside the section of the command. */
export type References = Readonly<Record<string, readonly string[]>>;

/**
 * Where documents differ from what sections of a page say: fields that are not documented, of another type, or
 * missing although they are always there. Empty: the page is right about them.
 */
export function differences(
  page: string,
  sections: readonly string[],
  documents: readonly unknown[],
  references: References = {},
): string[] {
  const fields = documentedFields(page, sections, references);
  return [...new Set(documents.flatMap((document) => compare(document, '', fields).wrong))];
}

/** Documented fields that none of the documents has. Empty: all of the page is shown to be true. */
export function unseenFields(
  page: string,
  sections: readonly string[],
  documents: readonly unknown[],
  references: References = {},
): string[] {
  const fields = documentedFields(page, sections, references);
  const seen = new Set(documents.flatMap((document) => compare(document, '', fields).seen));
  return fields.map(({ path }) => path).filter((path) => !seen.has(path));
}

function documentedFields(
  page: string,
  sections: readonly string[],
  references: References,
): DocumentedField[] {
  const own = sections.flatMap((heading) => fieldsUnder(page, heading, ''));
  const referred = Object.entries(references).flatMap(([path, headings]) =>
    headings.flatMap((heading) => fieldsUnder(page, heading, `${path}.`)),
  );
  return [...own, ...referred];
}

function fieldsUnder(page: string, heading: string, prefix: string): DocumentedField[] {
  return cells(table(page, heading)).map(([path = '', type = '']) => ({ path: prefix + path, type }));
}

interface Comparison {
  readonly wrong: readonly string[];
  /** Documented paths that were there. */
  readonly seen: readonly string[];
}

/** Compares an object, a list's members or a map's values with the fields documented one step below `path`. */
function compare(value: unknown, path: string, fields: readonly DocumentedField[]): Comparison {
  if (Array.isArray(value)) return merged(value.map((item) => compare(item, `${path}[]`, fields)));
  if (typeof value !== 'object' || value === null) return { wrong: [], seen: [] };
  const below = fields.filter((field) => parentOf(field.path) === path);
  const members = Object.entries(value).map(([key, member]): Comparison => {
    const field = below.find((candidate) =>
      [key, `<${wordIn(candidate.path)}>`].includes(lastOf(candidate.path)),
    );
    if (!field) return { wrong: [`${path}: ${key} is not documented`], seen: [] };
    const wrong = isOf(member, field.type)
      ? []
      : [`${field.path} is documented as ${field.type}: ${JSON.stringify(member)}`];
    const isLeaf = /^(any|list of)/.test(field.type);
    return merged([
      { wrong, seen: [field.path] },
      isLeaf ? { wrong: [], seen: [] } : compare(member, field.path, fields),
    ]);
  });
  const missing = below
    .filter(({ path: wanted, type }) => !type.endsWith('or absent') && !lastOf(wanted).startsWith('<'))
    .filter(({ path: wanted }) => !Object.hasOwn(value, lastOf(wanted)))
    .map(({ path: wanted }) => `${wanted} is documented and missing`);
  return merged([{ wrong: missing, seen: [] }, ...members]);
}

function merged(comparisons: readonly Comparison[]): Comparison {
  return { wrong: comparisons.flatMap(({ wrong }) => wrong), seen: comparisons.flatMap(({ seen }) => seen) };
}

function isOf(value: unknown, type: string): boolean {
  return type.split(' or ').some((one) => {
    switch (one) {
      case 'any':
        return true;
      case 'absent':
        return false;
      case 'null':
        return value === null;
      case 'text':
        return typeof value === 'string';
      case 'number':
        return Number.isInteger(value);
      case 'boolean':
        return typeof value === 'boolean';
      case 'list':
      case 'list of cell':
        return Array.isArray(value);
      case 'list of text':
        return Array.isArray(value) && value.every((item) => typeof item === 'string');
      case 'object':
      case 'map':
        return typeof value === 'object' && value !== null && !Array.isArray(value);
      default:
        throw new Error(`the page has an unknown type: ${one}`);
    }
  });
}

function parentOf(path: string): string {
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The word within `<…>` at the end of a path; '' where there is none. */
function wordIn(path: string): string {
  return /<([^>]*)>$/.exec(path)?.[1] ?? '';
}
