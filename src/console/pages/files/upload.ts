import type { QueryResult } from '../../../actions/browse/queries.js';
import { sizeWords } from '../../../config/values/file-size.js';
import { issueText } from '../../../domain/issue.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { clip } from '../../../report/text/layout.js';
import { decidingWords, sheetWords } from '../../../report/words/sheet-words.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import type { Page, Shown } from '../page.js';
import { formToken } from '../parts/form-parts.js';
import { noSuchPage } from '../problem.js';

type Checked = NonNullable<QueryResult<'upload'>>;
type Content = Exclude<Checked['found'], { readonly unreadable: string }>;

/** A large file takes longer to be checked: the page says so, and is loaded again. */
const PATIENCE_MS = 8_000;

const LONGEST_BODY = 300;

/** The preview of an upload, before its import. */
export const uploadPage: Page = {
  path: '/files/uploads/:source/:id',
  roles: ['operator'],
  async show(visit, desk) {
    const checked = await withPatience(desk, visit.params.source ?? '', visit.params.id ?? '');
    if (checked === 'being-checked') return waiting();
    if (checked === null) return noSuchPage();
    return {
      title: `${checked.name === '' ? 'A file without a name' : checked.name}: not imported yet`,
      section: '/files',
      content: html`${verdict(checked)}
${decide(visit, checked)}
${'unreadable' in checked.found ? '' : details(checked.found)}`,
    };
  },
};

/** More are checked again when their page is reloaded: it may never be. */
const MAX_KEPT = 20;

/** Checks that go on, so that a page which is loaded again finds them. */
const GOING = new Map<string, Promise<Checked | null>>();

async function withPatience(
  desk: Desk,
  source: string,
  id: string,
): Promise<Checked | null | 'being-checked'> {
  const asked = GOING.get(id) ?? desk.ask('upload', { source, id });
  const [oldest = id] = GOING.keys();
  if (GOING.size >= MAX_KEPT) GOING.delete(oldest);
  GOING.set(id, asked);
  const over = new AbortController();
  const late = desk
    .context()
    .clock.sleep(PATIENCE_MS, over.signal)
    .then(() => 'being-checked' as const);
  try {
    const found = await Promise.race([asked, late]);
    // An upload that was shown once is checked again: the ledger may know more by then.
    if (found !== 'being-checked') GOING.delete(id);
    return found;
  } catch (error) {
    GOING.delete(id);
    throw error;
  } finally {
    over.abort();
  }
}

function waiting(): Shown {
  return {
    title: 'The file is being checked',
    section: '/files',
    content: html`<p class="second" data-again>It is large, so this takes a while. <a href="">Reload this page</a> in a few seconds.</p>`,
  };
}

function verdict({ source, bytes, nameMistake, found }: Checked): Html {
  const kind = 'unreadable' in found || found.dispositions === null ? 'bad' : found.isClean ? 'good' : 'open';
  return html`<p class="notice ${kind}" role="status">${verdictText(found)}</p>
<p class="note">For source <bdi>${source}</bdi>, ${sizeWords(bytes)}. Not imported.</p>
${nameMistake === null ? '' : html`<p class="notice bad">This name can’t be used: ${nameMistake}. Enter another name below.</p>`}`;
}

function verdictText(found: Checked['found']): Html {
  if ('unreadable' in found) return html`The file can’t be read: ${found.unreadable}`;
  if (found.dispositions === null)
    return html`It would be refused, with all its rows: ${found.refused.map((issue) => issueText(issue)).join(' ')}`;
  const { dispositions } = found;
  const counts = DISPOSITIONS.filter((name) => dispositions[name] > 0).map(
    (name) => `${numberText(dispositions[name])} ${name}`,
  );
  const rows = Object.values(dispositions).reduce((sum, count) => sum + count, 0);
  const kept =
    found.refused.length === 0 ? '' : `${found.refused.map((issue) => issueText(issue)).join(' ')} `;
  return html`${kept}${counted(rows, 'row')}: ${counts.join(', ')}.`;
}

function decide(visit: Visit, { source, id, name, nameMistake }: Checked): Html {
  const path = `/files/uploads/${source}/${id}`;
  const wrong = nameMistake === null ? '' : html` aria-invalid="true"`;
  return html`<section aria-labelledby="decide">
<h2 id="decide">Import this file?</h2>
<form method="post" action="${path}/take">${formToken(visit)}
<p class="field"><label for="name">File name</label>
<input id="name" name="name" type="text" required maxlength="240" autocomplete="off" spellcheck="false" value="${name}"${wrong}></p>
<p class="buttons"><button>Import</button></p></form>
<form method="post" action="${path}/discard">${formToken(visit)}<p class="buttons"><button class="second-choice">Discard</button></p></form>
</section>`;
}

function details(found: Content): Html {
  return html`${columns(found)}
${issues(found)}
${corrections(found)}
${requests(found)}`;
}

function columns({ header, ...found }: Content): Html {
  const words = sheetWords({ ...found, dispositions: found.dispositions ?? NONE });
  if (header === null && words.length === 0) return html``;
  const table =
    header === null
      ? ''
      : scrollable(
          'Which column gives which field',
          html`<table><caption><span>Which column gives which field; the header is line ${header.line}</span></caption>
<thead><tr><th scope="col">Field</th><th scope="col">Column</th></tr></thead>
<tbody>${header.mapped.map(({ field, column }) => html`<tr><th scope="row">${field}</th><td><bdi>${column}</bdi></td></tr>`)}</tbody></table>`,
        );
  const unmapped = header?.unmapped ?? [];
  const deciding = header?.deciding ?? [];
  return html`<section aria-labelledby="columns">
<h2 id="columns">Columns</h2>
${table}
${deciding.length === 0 ? '' : html`<p class="note">${decidingWords(deciding)}</p>`}
${unmapped.length === 0 ? '' : html`<p class="note">Not read: ${unmapped.map((name, index) => html`${index === 0 ? '' : ', '}<bdi>${name}</bdi>`)}</p>`}
${words.map((text) => html`<p class="note">${text}</p>`)}
</section>`;
}

const NONE = Object.fromEntries(DISPOSITIONS.map((name) => [name, 0])) as NonNullable<
  Content['dispositions']
>;

function issues({ issues: all }: Content): Html {
  const ofRows = all.filter(({ line }) => line !== undefined);
  if (ofRows.length === 0) return html``;
  return html`<section aria-labelledby="issues">
<h2 id="issues">Rows that need attention</h2>
${scrollable(
  'Rows with issues',
  html`<table><caption><span>The first ${counted(ofRows.length, 'issue')}</span></caption>
<thead><tr><th scope="col">Row</th><th scope="col">Code</th><th scope="col">What, and what to do</th></tr></thead>
<tbody>${ofRows.map(
    (issue) =>
      html`<tr><th scope="row">${issue.sheet === undefined ? '' : `${issue.sheet}: `}${issue.line ?? ''}</th><td>${issue.code}</td><td>${issueText(issue)}</td></tr>`,
  )}</tbody></table>`,
)}
</section>`;
}

function corrections({ corrections }: Content): Html {
  if (corrections.length === 0) return html``;
  return html`<section aria-labelledby="corrects">
<h2 id="corrects">What it corrects</h2>
<ul>${corrections.map(
    ({ sheet, corrects, rows }) =>
      html`<li>${sheet === null ? '' : html`Sheet <bdi>${sheet}</bdi>: `}${corrects.map(({ drop, file }, index) => html`${index === 0 ? '' : ', '}<a href="/files/${drop}"><bdi>${file}</bdi></a>`)}; ${counted(rows.length, 'row')} shown
<ul>${rows.map(({ line, drop, originalLine, disposition, original }) => html`<li>row ${line}, for row ${originalLine} of drop ${drop}: ${disposition}, the original ${original}</li>`)}</ul></li>`,
  )}</ul>
</section>`;
}

function requests({ records }: Content): Html {
  if (records.length === 0) return html``;
  return html`<section aria-labelledby="requests">
<h2 id="requests">What would be sent</h2>
${scrollable(
  'Requests',
  html`<table><caption><span>The first ${counted(records.length, 'record')}</span></caption>
<thead><tr><th scope="col">Row</th><th scope="col">Request</th></tr></thead>
<tbody>${records.map(
    ({ line, sheet, request }) =>
      html`<tr><th scope="row">${sheet === undefined ? '' : `${sheet}: `}${line}</th><td>${request.method} ${request.path}<br><code>${clip(JSON.stringify(request.body) ?? '', LONGEST_BODY)}</code></td></tr>`,
  )}</tbody></table>`,
)}
</section>`;
}
