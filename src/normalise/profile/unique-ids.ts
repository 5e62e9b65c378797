import type { Issue } from '../../domain/issue.js';
import { cellText, isBlankCell, type Row } from '../../domain/row.js';
import { countOf } from '../../domain/text/count-of.js';
import type { Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import { aliasMatches } from '../mapping/header-aliases.js';
import { isAdded } from '../mapping/header-column.js';
import { issueOf, shown } from '../values/reading.js';
import { hasWordOf } from '../values/word-pattern.js';
import type { RowWatch } from './row-watch.js';

/** Fewer rows may each have another course by chance. */
const FEWEST_ROWS = 20;

/** The first rows are evidence enough, and the memory stays small. */
const MOST_ROWS = 2_000;

/** Longer texts are compared by their beginnings. */
const LONGEST_TEXT = 60;

/**
 * Asks whether the column of contents holds the number of the record or of a person instead: each row, or each learner, has its
 * own value there, while a column that is known as a title, or sounds like one, repeats. One question at most, and none where
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
  const isOpen = () => rows < MOST_ROWS && (isEachRow || isOfLearner);
  const isDoubtful = () => rows >= FEWEST_ROWS && (isEachRow || isOfLearner);
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

/** The doubt that a sample raises about its column of contents, for a comment; null: none. */
export function uniqueIdsAmong(
  rows: readonly Row['cells'][],
  header: FoundHeader,
  operation: Operation,
): string | null {
  const [watch] = watchUniqueIds(header, operation);
  for (const [index, cells] of rows.entries()) watch?.add({ line: header.line + index + 1, cells });
  return watch?.result().questions?.[0]?.message ?? null;
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
  const rows = counts.rows >= MOST_ROWS ? `the first ${counts.rows} rows` : `${counts.rows} rows`;
  const whose = isOfLearner ? 'of a person' : 'of the record or of a person';
  const message = `each ${isOfLearner ? 'learner' : 'row'} has another ${field}: "${shown(column)}" has ${counts.ids} values in ${rows}, "${shown(title)}" has ${countOf(counts.titles, 'value')}; it may be the number ${whose}, not of the content`;
  const remedy = `name the column of the content: columns: { ${field}: ${JSON.stringify(title).replaceAll('${', '$${')} } for the source in registrar.yaml`;
  return issueOf('identifier-unique', column, message, remedy);
}
