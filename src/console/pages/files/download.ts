import { DOWNLOADS, type DownloadKind, download } from '../../../actions/downloads.js';
import { html } from '../../../report/page/html.js';
import { type Page, SEE_ROWS } from '../page.js';
import { streamOfPieces } from '../parts/stream-of-pieces.js';
import { noSuchPage } from '../problem.js';

/**
 * Sends an imported file, or the table of its rows that are accepted or need attention, as it is read. A browser keeps it and
 * never shows it as a page of this server.
 */
export const downloadPage: Page = {
  path: `/files/:drop{[0-9]{1,15}}/:kind{${DOWNLOADS.join('|').replaceAll('.', '\\.')}}`,
  roles: SEE_ROWS,
  async show({ params }, context) {
    const drop = Number(params.drop);
    const file = await download(context.actionContext(), { drop, kind: params.kind as DownloadKind });
    if (file === 'no-such-drop') return noSuchPage();
    if (typeof file === 'string') {
      return {
        title: file === 'original-gone' ? 'The file is not there any more' : 'There are no rows to take away',
        section: '/files',
        status: 404,
        content: html`<p class="second">${file === 'original-gone' ? 'It was purged, moved, or changed since it came in.' : NOT_COUNTED} <a href="/files/${drop}">What is known of it</a></p>`,
      };
    }
    const { name, contentType, bytes } = file;
    return new Response(streamOfPieces(file.pieces()), {
      headers: {
        'content-type': contentType,
        'content-disposition': asAttachment(name),
        'content-security-policy': "sandbox; default-src 'none'",
        ...(bytes === null ? {} : { 'content-length': String(bytes) }),
      },
    });
  },
};

const NOT_COUNTED = 'The file was refused, or is being imported: none of its rows counts.';

/** The name twice: in letters that every browser reads, and in full (RFC 6266). */
export function asAttachment(name: string): string {
  const ascii = name.replace(/[^\w .()-]/g, '_');
  const full = encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
