import type { Context } from 'hono';
import { DOWNLOADS, type DownloadKind, download, type NoDownload } from '../../actions/downloads.js';
import { html } from '../../report/page/html.js';
import type { Shown } from '../pages/page.js';
import { streamOfPieces } from '../pages/parts/stream-of-pieces.js';
import { noSuchPage, notForRole } from '../pages/problem.js';
import type { ConsoleContext } from '../work/console-context.js';
import type { AppEnv } from './request.js';

export const DOWNLOAD_PATH = `/files/:drop{[0-9]{1,15}}/:kind{${DOWNLOADS.join('|').replaceAll('.', '\\.')}}`;

/**
 * Sends an imported file, or the table of its rows that are accepted or need attention, as it is read. A browser keeps it and
 * never shows it as a page of this server.
 */
export function downloadRoute(
  context: ConsoleContext,
  show: (c: Context<AppEnv>, page: Shown) => Response | Promise<Response>,
) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    if (!c.get('visit').seesPeople) return show(c, notForRole(['operator', 'auditor']));
    const drop = Number(c.req.param('drop'));
    const file = await download(context.actionContext(), {
      drop,
      kind: c.req.param('kind') as DownloadKind,
    });
    if (typeof file === 'string') return show(c, nothingThere(file, drop));
    const { name, contentType, bytes } = file;
    return new Response(streamOfPieces(file.pieces()), {
      headers: {
        'content-type': contentType,
        'content-disposition': asAttachment(name),
        'content-security-policy': "sandbox; default-src 'none'",
        ...(bytes === null ? {} : { 'content-length': String(bytes) }),
      },
    });
  };
}

/** The name twice: in letters that every browser reads, and in full (RFC 6266). */
export function asAttachment(name: string): string {
  const ascii = name.replace(/[^\w .()-]/g, '_');
  const full = encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd')).replace(/['()*]/g, percent);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function nothingThere(why: NoDownload, drop: number): Shown {
  if (why === 'no-such-drop') return noSuchPage();
  const [title, text] =
    why === 'original-gone'
      ? ['The file is not there any more', 'It was purged, moved, or changed since it came in.']
      : ['There are no rows to take away', NOT_COUNTED];
  return {
    title: title ?? '',
    section: '/files',
    status: 404,
    content: html`<p class="second">${text ?? ''} <a href="/files/${drop}">What is known of it</a></p>`,
  };
}

const NOT_COUNTED = 'The file was refused, or is being imported: none of its rows counts.';
