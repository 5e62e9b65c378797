import type { ListedRow } from '../../../documents/rows.js';
import { type Html, html } from '../../../report/page/html.js';
import { hrefOf } from '../../work/visit.js';

/** A row as lists name it: a submission by its number, a row without one by its drop and line. */
type ListedName = Pick<ListedRow, 'submission' | 'drop' | 'line'>;

/** What names the row in addresses: `17`, or `3:217`. */
export function rowName({ submission, drop, line }: ListedName): string {
  return submission === null ? `${drop}:${line}` : String(submission);
}

export function rowPath(what: string, ...further: readonly string[]): string {
  return ['', 'rows', what, ...further].map(encodeURIComponent).join('/');
}

export function rowLink(row: ListedName): Html {
  const { submission } = row;
  const text = submission === null ? rowName(row) : `#${submission}`;
  return html`<a href="${rowPath(rowName(row))}">${text}</a>`;
}

/** A file's name in a list: a long one is cut on a wide screen, and shown in full when pointed at. */
export function dropLink(drop: number, file: string): Html {
  return html`<a class="name" href="/files/${drop}" title="${file}"><bdi>${file}</bdi></a>`;
}

/** The page of the person with this identifier. Personal. */
export function personPath(learner: string): string {
  return hrefOf({ path: '/learners/person', query: { learner } });
}

/** Where the correction of an identifier is planned and decided. Personal. */
export function mapPath(query: Readonly<Partial<Record<'old' | 'new' | 'type', string>>>): string {
  return hrefOf({ path: '/decide/map', query });
}
