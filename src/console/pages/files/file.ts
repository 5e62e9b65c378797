import type { QueryResult } from '../../../actions/browse/queries.js';
import { DOWNLOADS, type DownloadKind, download } from '../../../actions/downloads.js';
import { type Html, type HtmlValue, html, joined } from '../../../report/page/html.js';
import { chip } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { sentence } from '../../../report/text/sentence.js';
import { sheetWords, statedZoneWords } from '../../../report/words/sheet-words.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../work/visit.js';
import { type Page, SEE_ROWS, sectionOf, streamOfPieces } from '../page.js';
import { NUMBER } from '../parts/parse-params.js';
import { reportSections, SHOWN_APART } from '../parts/report-sections.js';
import { when } from '../parts/when.js';
import { pageNotFound } from '../problem.js';
import { closureWords } from './file-list.js';

type Facts = NonNullable<QueryResult<'file'>>;

export const filePage: Page = {
  path: `/files/:drop${NUMBER}`,
  async show(visit) {
    const drop = Number(visit.params.drop);
    const result = await visit.query('file', { drop });
    if (result === null) return pageNotFound();
    return {
      title: result.file,
      section: '/files',
      isLive: true,
      content: html``,
      rest: sections(visit, result),
    };
  },
};

async function sections(visit: Visit, result: Facts): Promise<Html> {
  const { drop, file } = result;
  const isPublished = result.state === 'published';
  const selection = { dropId: drop, ...(visit.seesPeople ? { fileName: file } : {}) };
  const report = isPublished ? await visit.query('reportFacts', { selection }) : null;
  return html`<div id="file" data-part>
${result.refusal === null ? '' : refused(visit, result, sentence(result.refusal))}
${report === null ? '' : reportSections(visit, report, { file }, { whole: html`see <a href="/attention">Attention</a>`, without: [...SHOWN_APART, 'files'] })}
${facts(visit, result)}
${related(result)}
</div>
${isPublished ? next(visit, result) : ''}`;
}

function refused(visit: Visit, result: Facts, refusal: string): Html {
  const closure = closureWords(visit, result);
  return sectionOf('refusal', closure === null ? 'Refused' : 'Refused, closed since')`<p>${refusal}</p>
<p class="second">${closure ?? html`It is in <code>rejected/${result.source}/</code>. Fix it and drop it again${visit.mayAct ? html`, or <a href="/decide/dismiss?drop=${result.drop}">dismiss it</a>` : ''}.`}</p>
${visit.seesPeople ? html`<p><a href="/files/${result.drop}/original">The original file</a></p>` : ''}`;
}

function facts(visit: Visit, result: Facts): Html {
  const { uploads, header, headerLine, changedAt, arrivalCount } = result;
  const uploaded = uploads.map(({ name, at }) => html`<bdi>${name}</bdi>, ${when(at)}`);
  const names = header.map((name) => html`<bdi>${name}</bdi>`);
  return sectionOf('facts', 'About the file')`${pairs([
    ['State', chip(...terms().standings[result.standing])],
    ['Source', html`<bdi>${result.source}</bdi>`],
    ['Drop', String(result.drop)],
    ['Received', when(result.importedAt)],
    ['Uploaded by', visit.seesPeople && uploads.length > 0 ? joined(uploaded, '; ') : null],
    ['Run', html`<a href="/runs/${result.run}">run ${result.run}</a>`],
    ['Delivers', html`${result.operation} to ${result.environment}`],
    ['Size', `${numberText(result.bytes)} bytes`],
    ['Format', result.format ?? 'not recognised'],
    ['Sheet', result.sheet],
    [
      'Header',
      header.length === 0 ? null : html`${headerLine === null ? '' : `line ${headerLine}: `}${joined(names)}`,
    ],
    ['Sheets', sheetWords(result).join('; ') || null],
    ['Zone', statedZoneWords(result.zones)],
    ['Received again', arrivalCount < 2 ? null : `received ${numberText(arrivalCount)} times, counted once`],
    [
      'Changed',
      changedAt &&
        html`after it was imported, noticed ${when(changedAt)}: the new content is imported as another drop`,
    ],
    ['SHA-256', html`<code>${result.sha256}</code>`],
  ])}`;
}

function related({ parts }: Facts): Html {
  if (parts.length === 0) return html``;
  return sectionOf('related', 'Related files')`<p>Further sheets of the same file</p><ul>${parts.map(
    ({ dropId, file, rows }) =>
      html`<li><a href="/files/${dropId}"><bdi>${file}</bdi></a>${rows === null ? '' : `, ${counted(rows, 'row')}`}</li>`,
  )}</ul>`;
}

function next(visit: Visit, { drop: dropId }: Facts): Html {
  if (!visit.seesPeople) return html``;
  const restage = visit.mayAct
    ? html`<p class="buttons"><a class="button second-choice" href="/decide/restage?drop=${dropId}">Re-read its invalid rows</a> <span class="note">after a change of registrar.yaml; shows a preview first</span></p>`
    : '';
  return sectionOf('further', 'Downloads')`<ul>
<li><a href="/files/${dropId}/attention.csv">Rows that need attention</a>, as a table to correct and drop again</li>
<li><a href="/files/${dropId}/accepted.csv">Accepted rows</a></li>
<li><a href="/files/${dropId}/original">The original file</a></li>
</ul>
${restage}`;
}

function pairs(entries: readonly (readonly [string, HtmlValue])[]): Html {
  return html`<dl class="pairs">${entries
    .filter(([, value]) => value !== null)
    .map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/**
 * Sends an imported file, or the table of its rows that are accepted or need attention, as it is read. A browser keeps it and
 * never shows it as a page of this server.
 */
export const downloadPage: Page = {
  path: `/files/:drop${NUMBER}/:kind{${DOWNLOADS.join('|').replaceAll('.', '\\.')}}`,
  roles: SEE_ROWS,
  async show(visit) {
    const drop = Number(visit.params.drop);
    const file = await download(visit.actionContext(), { drop, kind: visit.params.kind as DownloadKind });
    if (file === 'no-such-drop') return pageNotFound();
    if (typeof file === 'string') {
      return {
        title: file === 'original-gone' ? 'The file is gone' : 'There are no rows to download',
        section: '/files',
        status: 404,
        content: html`<p class="second">${file === 'original-gone' ? 'It was purged, moved, or changed after its import.' : NOT_COUNTED} <a href="/files/${drop}">About the file</a></p>`,
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
