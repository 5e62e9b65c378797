import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import type { FoundHeader } from '../mapping/find-header.js';
import { issueOf, shown } from '../values/reading.js';
import { trimText } from '../values/trim-text.js';
import type { RowWatch, WatchSource } from './profile.js';

/** The type of identifiers that are addresses of pages; publicly known, not in the specification. */
export const URL_TYPE = 'ContentUrl';

/**
 * Finds the type of content identifiers, where neither a column nor the source gives it and some are addresses of pages: it is
 * `ContentUrl` if all are. A mixture has no single type.
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
  if (!typeField || !column || mapped[typeField.name] || source.defaults[typeField.name] !== undefined) {
    return [];
  }

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
          url ??= { text: cellText(cell), line };
        } else if (!isBlankCell(cell)) {
          code ??= { text: Buffer.from(cellText(cell)).toString(), line };
        } else if (url === null && code === null) {
          isFirstBlank = true;
        }
      },
      // For a sample, the first row decides how all are read.
      asksForAll: () => (url !== null && code !== null) || isFirstBlank,
      isOpen: () => true,
      result: () => {
        if (url === null) return {};
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
