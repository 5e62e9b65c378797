import type { Issue } from '../../domain/issue.js';
import { cellText, isBlankCell, type Row } from '../../domain/row.js';
import { countOf } from '../../domain/text/count-of.js';
import type { Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import type { FoundHeader } from '../mapping/find-header.js';
import { aliasMatches } from '../mapping/header-aliases.js';
import { isAdded } from '../mapping/header-column.js';
import { shown } from '../values/reading.js';
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
  const { mapped } = header.match;
  const content = operation.fields.find(({ kind, required }) => kind === 'identifier' && required);
  const column = content && mapped[content.name];
  const learner = mapped[operation.fields.find(({ kind }) => kind === 'learner')?.name ?? ''];
  const titles = titleColumns(header, operation);
  if (!column || !learner || titles.length === 0) return [];
  const evidence = createUniqueEvidence(learner.index, column.index, titles);
  return [
    {
      name: `unique ${content.name}`,
      add: evidence.add,
      asksForAll: () => evidence.finding() !== null,
      isOpen: evidence.isOpen,
      result: () => {
        const found = evidence.finding();
        return found === null ? {} : { questions: [uniqueIds(content.name, column.header, header, found)] };
      },
    },
  ];
}

/** The doubt that a sample raises about its column of contents, for a comment; null: none. */
export function uniqueIdsAmong(
  rows: readonly (readonly Row['cells'][number][])[],
  header: FoundHeader,
  operation: Operation,
): string | null {
  const [watch] = watchUniqueIds(header, operation);
  for (const [index, cells] of rows.entries()) watch?.add({ line: header.line + index + 1, cells });
  return watch?.result().questions?.[0]?.message ?? null;
}

interface Finding {
  readonly rows: number;
  readonly ids: number;
  readonly isOfLearner: boolean;
  /** Index of the column that repeats, and how many values it has. */
  readonly repeats: { readonly index: number; readonly values: number };
}

function createUniqueEvidence(learnerIndex: number, contentIndex: number, titles: readonly number[]) {
  const learnerOf = new Map<string, string>();
  const contentOf = new Map<string, string>();
  const values = new Map(titles.map((index) => [index, new Set<string>()]));
  const titleOf = new Map<string, string>();
  /** Columns in which some learner has several values. */
  const varied = new Set<number>();
  let rows = 0;
  let isEachRow = true;
  let isOfLearner = true;
  let found: Finding | null = null;

  return {
    add: ({ cells }: Row) => {
      if (rows >= MOST_ROWS || !(isEachRow || isOfLearner)) return;
      const [learner, content] = [cells[learnerIndex], cells[contentIndex]];
      if (isBlankCell(learner) || isBlankCell(content)) return;
      addPair(textOf(learner), textOf(content), cells);
      found = judge();
    },
    finding: () => found,
    isOpen: () => rows < MOST_ROWS && (isEachRow || isOfLearner),
  };

  function addPair(learner: string, content: string, cells: Row['cells']): void {
    rows += 1;
    const owner = learnerOf.get(content);
    if (owner !== undefined) isEachRow = false;
    const other = contentOf.get(learner);
    if ((owner !== undefined && owner !== learner) || (other !== undefined && other !== content)) {
      isOfLearner = false;
    }
    learnerOf.set(content, learner);
    contentOf.set(learner, content);
    for (const index of titles) {
      if (isBlankCell(cells[index])) continue;
      const title = textOf(cells[index]);
      values.get(index)?.add(title);
      const key = `${index} ${learner}`;
      const before = titleOf.get(key);
      if (before === undefined) titleOf.set(key, title);
      else if (before !== title) varied.add(index);
    }
  }

  function judge(): Finding | null {
    if (rows < FEWEST_ROWS || !(isEachRow || isOfLearner)) return null;
    for (const index of titles) {
      const count = values.get(index)?.size ?? 0;
      if (count === 0 || count * 2 > rows) continue;
      // A value that is always the same for a learner may be a department.
      if (!isEachRow && !varied.has(index)) continue;
      return { rows, ids: learnerOf.size, isOfLearner: !isEachRow, repeats: { index, values: count } };
    }
    return null;
  }
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

function uniqueIds(field: string, column: string, header: FoundHeader, found: Finding): Issue {
  const title = header.columns[found.repeats.index] ?? '';
  const of = found.isOfLearner ? 'each learner' : 'each row';
  const rows = found.rows >= MOST_ROWS ? `the first ${found.rows} rows` : `${found.rows} rows`;
  const values = countOf(found.repeats.values, 'value');
  const whose = found.isOfLearner ? 'of a person' : 'of the record or of a person';
  return {
    code: 'identifier-unique',
    column,
    value: null,
    message: `${of} has another ${field}: "${shown(column)}" has ${found.ids} values in ${rows}, "${shown(title)}" has ${values}; it may be the number ${whose}, not of the content`,
    remedy: `name the column of the content: columns: { ${field}: ${JSON.stringify(title).replaceAll('${', '$${')} } for the source in registrar.yaml`,
  };
}
