import type { QueryResult } from '../../../actions/browse/queries.js';
import { correctedTable, issueTable, requestTable } from '../../../actions/rows/plan-tables.js';
import { discardUpload, takeUpload, type UploadId } from '../../../actions/uploads.js';
import { sizeWords } from '../../../config/values/file-size.js';
import { issuesText } from '../../../domain/issue.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { capitalized } from '../../../domain/text/count-of.js';
import { correctedText } from '../../../report/correction-text.js';
import { type Html, html, joined } from '../../../report/page/html.js';
import { tableHtml } from '../../../report/page/section-html.js';
import { name, type Table } from '../../../report/sections/section.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { decidingWords, sheetWords } from '../../../report/words/sheet-words.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { formToken } from '../parts/fields.js';
import { pageNotFound } from '../problem.js';

type Checked = NonNullable<QueryResult<'upload'>>;
type Content = Exclude<Checked['content'], { readonly unreadable: string }>;

/** What importing an uploaded file would do; a large one takes a while to be checked. */
export const uploadPage: Page = {
  path: '/files/uploads/:source/:id',
  roles: ['operator'],
  async show(visit) {
    const { source = '', id = '' } = visit.params;
    const uploads = await visit.query('waitingUploads', {});
    const upload = uploads.find((one) => one.source === source && one.id === id);
    if (upload === undefined) return pageNotFound();
    return {
      title: `${upload.file === '' ? 'A file without a name' : upload.file}: not imported yet`,
      section: '/files',
      content: html``,
      rest: sections(visit, { source, id }),
    };
  },
  forms: {
    async take(visit, fields) {
      const { source = '', id = '' } = visit.params;
      const who = deciderOf(visit);
      const took = await takeUpload(visit.actionContext(), { source, id }, fields.one('name'), who);
      return { to: hrefOf({ path: '/files', query: { source, took } }) };
    },
    async discard(visit) {
      const { source = '', id = '' } = visit.params;
      await discardUpload(visit.actionContext(), { source, id });
      return { to: '/files' };
    },
  },
};

async function sections(visit: Visit, upload: UploadId): Promise<Html> {
  const checked = await visit.query('upload', upload);
  // It was imported or discarded meanwhile.
  if (checked === null) return pageNotFound().content;
  return html`${verdict(checked)}
${decide(visit, checked)}
${'unreadable' in checked.content ? '' : details(checked.content)}`;
}

function verdict({ source, bytes, nameMistake, content }: Checked): Html {
  const kind =
    'unreadable' in content || content.dispositions === null ? 'bad' : content.isClean ? 'good' : 'open';
  return html`<p class="notice ${kind}" role="status">${verdictText(content)}</p>
<p class="note">For source <bdi>${source}</bdi>, ${sizeWords(bytes)}. Not imported.</p>
${nameMistake === null ? '' : html`<p class="notice bad">This name can’t be used: ${nameMistake}. Enter another name below.</p>`}`;
}

export function verdictText(content: Checked['content']): Html {
  if ('unreadable' in content) return html`The file can’t be read: ${content.unreadable}`;
  if (content.dispositions === null)
    return html`It would be refused, with all its rows: ${issuesText(content.refused)}`;
  const { dispositions } = content;
  const counts = DISPOSITIONS.filter((name) => dispositions[name] > 0).map(
    (name) => `${numberText(dispositions[name])} ${name}`,
  );
  const rows = Object.values(dispositions).reduce((sum, count) => sum + count, 0);
  const kept = content.refused.length === 0 ? '' : `${capitalized(issuesText(content.refused))} `;
  return html`${kept}${counted(rows, 'row')}: ${counts.join(', ')}.${content.corrections.map((sheet) => ` ${correctedText(sheet)}`)}`;
}

function decide(visit: Visit, { source, id, name, nameMistake }: Checked): Html {
  const path = `/files/uploads/${source}/${id}`;
  const wrong = nameMistake === null ? '' : html` aria-invalid="true"`;
  return sectionOf('decide', 'Import this file?')`
<form method="post" action="${path}/take">${formToken(visit)}
<p class="field"><label for="name">File name</label>
<input id="name" name="name" type="text" required maxlength="240" autocomplete="off" spellcheck="false" value="${name}"${wrong}></p>
<p class="buttons"><button>Import</button></p></form>
<form method="post" action="${path}/discard">${formToken(visit)}<p class="buttons"><button class="second-choice">Discard</button></p></form>`;
}

export function details(content: Content): Html {
  const ofRows = content.issues.filter(({ line }) => line !== undefined);
  return html`${columns(content)}
${section('issues', 'Rows that need attention', [issueTable(`The first ${counted(ofRows.length, 'issue')}`, ofRows)])}
${section('corrects', 'What it corrects', content.corrections.map(correctedTable))}
${section('requests', 'What would be sent', [requestTable(`The first ${counted(content.records.length, 'record')}`, content.records)])}`;
}

function section(id: string, title: string, tables: readonly Table[]): Html {
  const shown = tables.filter(({ rows }) => rows.length > 0);
  if (shown.length === 0) return html``;
  return sectionOf(id, title)`${shown.map((table) => tableHtml(table, []))}`;
}

function columns({ header, dispositions, ...content }: Content): Html {
  const words = dispositions === null ? [] : sheetWords({ ...content, dispositions });
  if (header === null && words.length === 0) return html``;
  const table = header && {
    caption: `Which column gives which field; the header is line ${header.line}`,
    columns: [{ title: 'Field' }, { title: 'Column' }],
    rows: header.mapped.map(({ field, column }) => ({ cells: [field, name(column)] })),
  };
  const unmapped = header?.unmapped ?? [];
  const deciding = header?.deciding ?? [];
  return sectionOf('columns', 'Columns')`${table && tableHtml(table, [])}
${deciding.length === 0 ? '' : html`<p class="note">${decidingWords(deciding)}</p>`}
${unmapped.length === 0 ? '' : html`<p class="note">Not read: ${joined(unmapped.map((header) => html`<bdi>${header}</bdi>`))}</p>`}
${words.map((text) => html`<p class="note">${text}</p>`)}`;
}
