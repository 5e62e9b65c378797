import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import { countOf } from '../../domain/text/count-of.js';
import type { Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import { aliasMatches } from '../mapping/header-aliases.js';
import { isAdded } from '../mapping/header-column.js';
import { issueOf, shown } from '../values/reading.js';
import { trimText } from '../values/trim-text.js';
import { hasWordOf } from '../values/word-pattern.js';
import type { RowWatch, WatchSource } from './profile.js';

/** Fewer rows may each have another course by chance. */
const MIN_ROWS = 20;

/** The first rows are evidence enough, and the memory stays small. */
const MAX_ROWS = 2_000;

/** Longer texts are compared by their beginnings. */
const LONGEST_TEXT = 60;

/**
 * Questions whether the column of contents holds the number of the record or of a person instead: each row, or each learner, has
 * its own value there, while a column that is known as a title, or sounds like one, repeats. One question at most, and none where
 * there is no such column.
 */
export function watchUniqueIds(header: FoundHeader, operation: Operation): readonly RowWatch[] {
  const content =
    operation.fields.find(({ kind, required }) => kind === 'identifier' && required)?.name ?? '';
  const column = header.match.mapped[content];
  const learner = fieldOf('learner', operation, header).index;
  const titles = titleColumns(header, operation);
  if (!column || learner === -1 || titles.length === 0) return [];

  const learnerOf = new Map<string, string>();
  const contentOf = new Map<string, string>();
  const values = new Map(titles.map((index) => [index, new Set<string>()]));
  const titleOf = new Map<string, string>();
  /** Columns in which some learner has several values. */
  const varied = new Set<number>();
  let rows = 0;
  let isEachRow = true;
  let isOfLearner = true;
  const isOpen = () => rows < MAX_ROWS && (isEachRow || isOfLearner);
  const isDoubtful = () => rows >= MIN_ROWS && (isEachRow || isOfLearner);
  /** A column that repeats. A value that is always the same for a learner may be a department. */
  const repeating = () =>
    titles.find((index) => {
      const count = values.get(index)?.size ?? 0;
      return count > 0 && count * 2 <= rows && (isEachRow || varied.has(index));
    });

  return [
    {
      name: `unique ${content}`,
      isOpen,
      asksForAll: () => isDoubtful() && repeating() !== undefined,
      add: ({ cells }) => {
        if (!isOpen() || isBlankCell(cells[learner]) || isBlankCell(cells[column.index])) return;
        const [who, what] = [textOf(cells[learner]), textOf(cells[column.index])];
        rows += 1;
        const owner = learnerOf.get(what);
        if (owner !== undefined) isEachRow = false;
        const other = contentOf.get(who);
        if ((owner ?? who) !== who || (other ?? what) !== what) isOfLearner = false;
        learnerOf.set(what, who);
        contentOf.set(who, what);
        for (const index of titles) {
          if (isBlankCell(cells[index])) continue;
          const title = textOf(cells[index]);
          values.get(index)?.add(title);
          const key = `${index} ${who}`;
          if ((titleOf.get(key) ?? title) !== title) varied.add(index);
          else titleOf.set(key, title);
        }
      },
      result: () => {
        const title = isDoubtful() ? repeating() : undefined;
        if (title === undefined) return {};
        const counts = { rows, ids: learnerOf.size, titles: values.get(title)?.size ?? 0 };
        const question = uniqueIds(content, column.header, header.columns[title] ?? '', !isEachRow, counts);
        return { questions: [question] };
      },
    },
  ];
}

function textOf(cell: Row['cells'][number] | undefined): string {
  // A copy: a piece of a large text would keep all of it in memory.
  return Buffer.from(cellText(cell).slice(0, LONGEST_TEXT)).toString();
}

/** The known title first, then unmapped columns with headers about courses. */
function titleColumns(header: FoundHeader, operation: Operation): readonly number[] {
  const mapped = Object.entries(header.match.mapped);
  const isTitle = (field: string) =>
    operation.fields.some(({ name, kind }) => name === field && kind === 'text');
  const known = mapped.flatMap(([field, { index }]) => (isTitle(field) ? [index] : []));
  const taken = new Set(mapped.map(([, { index }]) => index));
  const sounding = header.columns.flatMap((name, index) =>
    !taken.has(index) && !isAdded(name) && soundsLikeContent(name, operation) ? [index] : [],
  );
  return [...known, ...sounding];
}

function soundsLikeContent(header: string, operation: Operation): boolean {
  const { text } = normaliseHeader(header);
  if (isDetail(text)) return false;
  const fields = aliasMatches(text, operation).map(({ field }) => field);
  const kinds = operation.fields.filter(({ name }) => fields.includes(name)).map(({ kind }) => kind);
  return kinds.includes('identifier') || kinds.includes('text') || isOfContent(text);
}

const isOfContent = hasWordOf('other-headers.course');
/** Kinds, dates, places and people of courses. */
const isDetail = hasWordOf('other-headers.course-detail', 'other-headers.other-people');

function uniqueIds(
  field: string,
  column: string,
  title: string,
  isOfLearner: boolean,
  counts: { readonly rows: number; readonly ids: number; readonly titles: number },
): Issue {
  const rows = counts.rows >= MAX_ROWS ? `the first ${counts.rows} rows` : `${counts.rows} rows`;
  const whose = isOfLearner ? 'of a person' : 'of the record or of a person';
  const message = `each ${isOfLearner ? 'learner' : 'row'} has another ${field}: "${shown(column)}" has ${counts.ids} values in ${rows}, "${shown(title)}" has ${countOf(counts.titles, 'value')}; it may be the number ${whose}, not of the content`;
  const remedy = `name the column of the content: columns: { ${field}: ${JSON.stringify(title).replaceAll('${', '$${')} } for the source in registrar.yaml`;
  return issueOf('identifier-unique', column, message, remedy);
}

/** The type of identifiers that are addresses of pages; publicly known, not in the specification. */
export const URL_TYPE = 'ContentUrl';

/**
 * Raises the question of the type of content identifiers, where no column gives it and some are addresses of pages. If all are
 * addresses, the type is `ContentUrl` where the source gives none; where it gives another type, a person must confirm it. A
 * mixture has no single type.
 */
export function watchUrlIds(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  const { mapped } = header.match;
  const typeField = operation.fields.find(({ choices }) => choices?.includes(URL_TYPE));
  const content = operation.fields.find(({ kind, required }) => kind === 'identifier' && required);
  const column = content && mapped[content.name];
  if (!typeField || !column || mapped[typeField.name]) return [];
  const said = source.defaults[typeField.name];
  if (said?.toLowerCase() === URL_TYPE.toLowerCase()) return [];

  let urls = 0;
  let isFirstBlank = false;
  let url: Found | null = null;
  let code: Found | null = null;
  return [
    {
      name: `addresses in ${content.name}`,
      isOfRecords: true,
      add: ({ cells, line }: Row) => {
        const cell = cells[column.index];
        if (isUrl(cell)) {
          urls += 1;
          url ??= { text: cellText(cell), line };
        } else if (!isBlankCell(cell)) {
          code ??= { text: Buffer.from(cellText(cell)).toString(), line };
        } else if (url === null && code === null) {
          isFirstBlank = true;
        }
      },
      // For a sample, the first row decides how all are read.
      asksForAll: () => (said === undefined ? (url !== null && code !== null) || isFirstBlank : url !== null),
      isOpen: () => true,
      result: () => {
        if (url === null) return {};
        if (said !== undefined)
          return { questions: [otherType(column.header, typeField.name, said, url, urls)] };
        return code === null
          ? { implied: { [typeField.name]: URL_TYPE } }
          : { issues: [mixed(column.header, typeField.name, url, code)] };
      },
    },
  ];
}

/** True for the address of a page. Nearly no identifier begins with h, so that this is cheap. */
export function isUrl(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string') return false;
  const first = cell.charCodeAt(0);
  if (first !== 104 && first !== 72 && first > 32 && first < 127) return false;
  return /^https?:\/\/[^\s/]+\S*$/i.test(trimText(cell));
}

interface Found {
  readonly text: string;
  readonly line: number;
}

function mixed(column: string, typeField: string, url: Found, code: Found): Issue {
  const message = `${column} holds addresses of pages ("${shown(url.text)}" in line ${url.line}) and other identifiers ("${shown(code.text)}" in line ${code.line}), and nothing shows the type of each`;
  const remedy = `have the file exported with a column that says it, and name it: columns: { ${typeField}: … }; or, where all are of one type, say it: defaults: { ${typeField}: ExternalId } for the source in registrar.yaml`;
  return issueOf('identifier-type-unclear', column, message, remedy, shown(url.text));
}

function otherType(column: string, typeField: string, said: string, url: Found, count: number): Issue {
  const message = `${column} holds addresses of pages (${count}, first "${shown(url.text)}" in line ${url.line}), and the source says that they are of type ${said}`;
  const remedy = `say what they are: defaults: { ${typeField}: ${URL_TYPE} } for the source in registrar.yaml`;
  return issueOf('identifier-type-unclear', column, message, remedy, shown(url.text));
}
