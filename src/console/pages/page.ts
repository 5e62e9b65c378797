import { Readable } from 'node:stream';
import type { Role } from '../../domain/access/role.js';
import { type Html, type HtmlValue, html } from '../../report/page/html.js';
import { sectionHtml } from '../../report/page/section-html.js';
import type { RefusalStatus } from '../work/status-of.js';
import type { Visit } from '../work/visit.js';

/** The roles that see rows, and so learners. */
export const SEE_ROWS: readonly Role[] = ['operator', 'auditor'];

/** A page of the console as data, a form that operators send there, or both. */
export interface Page {
  readonly path: string;
  /** Who may see it; absent: everyone who is signed in. */
  readonly roles?: readonly Role[];
  /**
   * Throws OperatorError for an address that names nothing. Absent: nothing is shown here.
   * @returns the page; or a whole document or a file, which has no frame. Headers that such an answer lacks are those of a page.
   */
  show?(visit: Visit): Promise<PageView | Response>;
  readonly submit?: Submit;
  /** Forms at addresses below its own, by the last part of these. */
  readonly forms?: Readonly<Record<string, Submit>>;
}

/**
 * Carries out what was sent, whose token was checked. Throws OperatorError for what can't be done; nothing has changed then.
 * @returns where to go on, or a page to show instead.
 */
export type Submit = (visit: Visit, fields: FormFields) => Promise<FormAnswer>;

export interface FormFields {
  /** Of a repeated field the last value; '' where there is none. */
  one(name: string): string;
  names(): readonly string[];
}

export type FormAnswer = { readonly to: string } | { readonly page: PageView };

export interface PageView {
  readonly title: string;
  /** The entry of the navigation that it belongs to; absent: none. */
  readonly section?: Section;
  /** True: the open page follows changes of the ledger. */
  readonly isLive?: boolean;
  readonly content: Html;
  /** What follows the content and may take long on a large ledger: the page is begun before it. Absent: nothing. */
  readonly rest?: Promise<Html>;
  readonly status?: 200 | RefusalStatus;
}

export const GROUPS = [
  [{ path: '/', name: 'Overview' }],
  [
    { path: '/attention', name: 'Attention' },
    { path: '/learners', name: 'Learners', ofRows: true },
  ],
  [
    { path: '/files', name: 'Files' },
    { path: '/runs', name: 'Runs' },
    { path: '/audit', name: 'Audit log', ofRows: true },
  ],
  [
    { path: '/settings', name: 'Settings' },
    { path: '/schedule', name: 'Schedule' },
    { path: '/doctor', name: 'Doctor' },
  ],
] as const;

export type Section = (typeof GROUPS)[number][number]['path'];

export const SEARCH_PATH = '/search';

/** The body of an answer: read no faster than the client takes it, and left when the client goes away. */
export function streamOfPieces(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>;
}

/** Makes a section of a page: `sectionOf('tokens', 'Tokens')` tags the template of its content. */
export function sectionOf(id: string, title: HtmlValue): typeof html {
  return (...content) => sectionHtml({ id, title }, html(...content));
}

/** The same for a section that updates itself. */
export function livePart(id: string, title: HtmlValue): typeof html {
  return (...content) => sectionHtml({ id, title }, html(...content), html` data-part`);
}
