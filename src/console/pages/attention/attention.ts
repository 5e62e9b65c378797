import { assignCause } from '../../../actions/assign.js';
import type { QueryResult } from '../../../actions/browse/queries.js';
import { causes } from '../../../report/page/causes.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import { livePart, type Page } from '../page.js';
import { choicesOf, formToken, hiddenFields, textField } from '../parts/fields.js';
import { type Column, filterForm, listTable } from '../parts/list-table.js';
import { linksTo } from '../parts/report-sections.js';
import { dropLink } from '../parts/row-link.js';
import { when } from '../parts/when.js';
import { remedyLink } from './remedy-link.js';

type Cause = QueryResult<'causes'>['causes'][number];
type Assigned = QueryResult<'causes'>['assigned'][number];
type RefusedFile = QueryResult<'causes'>['refusedFiles'][number];

const ASSIGN_PATH = '/attention/assign';

const UNASSIGNED = 'unassigned';

export const attentionPage: Page = {
  path: '/attention',
  async show(visit) {
    const { causes: found, refusedFiles, assigned } = await visit.query('causes', {});
    return {
      title: 'Needs attention',
      section: '/attention',
      isLive: true,
      content: html`${livePart('causes', 'Rows by cause')`${found.length === 0 ? html`<p class="empty">No rows need attention. <a href="/files">Files</a> shows the state of every row.</p>` : causeCards(visit, found, assigned)}`}
${refusedFiles.length === 0 ? '' : refusedFilesTable(visit, refusedFiles)}`,
    };
  },
};

function causeCards(visit: Visit, found: readonly Cause[], notes: readonly Assigned[]): Html {
  const { address, mayAct, seesPeople } = visit;
  const { assigned = '' } = address.query;
  const noteOf = ({ code }: Pick<Cause, 'code'>) => notes.find(({ subject }) => subject === code);
  const personOf = (cause: Cause) => noteOf(cause)?.value ?? UNASSIGNED;
  const shown = found.filter((cause) => assigned === '' || personOf(cause) === assigned);
  const assignment = (cause: Pick<Cause, 'code'>) => {
    const note = noteOf(cause);
    const href = hrefOf({ path: ASSIGN_PATH, query: { cause: cause.code } });
    return html`${note === undefined ? '' : html`Assigned to ${assignedText(note)}`} ${mayAct ? html`<a href="${href}">${note === undefined ? 'Assign' : 'Change'}</a>` : ''}`;
  };
  const all = html`<a href="/attention/rows">All rows that need attention</a>`;
  const links = linksTo(visit, {}, all, (cause) => (seesPeople ? assignment(cause) : html``));
  const report = { selection: {}, unknownLearners: { learners: 0, rows: 0 } };
  const facts = { causes: shown, report, links, attentionFile: null, guideFile: null, otherFiles: [] };
  const people = choicesOf([...new Set(found.map(personOf))]);
  return html`${seesPeople ? filterForm(address, [{ name: 'assigned', label: 'Assigned to', choices: people }]) : ''}
${shown.length === 0 ? html`<p class="empty">No cause matches. <a href="/attention">Show all ${found.length}</a></p>` : causes(facts)}
${seesPeople ? html`<p class="buttons">${all}</p>` : ''}`;
}

function refusedFilesTable({ mayAct }: Visit, refusedFiles: readonly RefusedFile[]): Html {
  const remedies: Column<RefusedFile> = {
    title: 'What to do',
    isShort: true,
    cell: (file) => remedyLink(file.remedy),
  };
  return livePart('refused', counted(refusedFiles.length, 'refused file'))`
<p class="second">None of their rows were imported. Fix the file and drop it again.</p>
${listTable('Refused files, latest first', refusedFiles, mayAct ? [...REFUSED, remedies] : REFUSED)}`;
}

const REFUSED: readonly Column<RefusedFile>[] = [
  { title: 'File', cell: ({ drop, file }) => dropLink(drop, file) },
  { title: 'Source', isShort: true, cell: ({ source }) => html`<bdi>${source}</bdi>` },
  { title: 'When', cell: ({ importedAt }) => when(importedAt) },
  { title: 'Why', cell: ({ refusal }) => html`<span class="refusal">${refusal}</span>` },
];

function assignedText({ value, about, who, at }: Assigned): Html {
  return html`<bdi>${value}</bdi>${about === '' ? '' : html`: <bdi>${about}</bdi>`}<br><small>by <bdi>${who}</bdi>, ${when(at)}</small>`;
}

/** The form for who is to care for the rows of a cause: `?cause=learner-unknown`. */
export const assignPage: Page = {
  path: ASSIGN_PATH,
  roles: ['operator'],
  async show(visit) {
    const { cause = '' } = visit.address.query;
    const { assigned } = await visit.query('causes', {});
    const note = assigned.find(({ subject }) => subject === cause);
    const { users } = visit.actionContext().config.console;
    const known = [...new Set([visit.person.name, ...users.map(({ name }) => name)])];
    return {
      title: `Assign ${cause}`,
      section: '/attention',
      content: html`${note === undefined ? '' : html`<p class="second">Assigned to ${assignedText(note)}</p>`}
<form method="post" action="${ASSIGN_PATH}">${formToken(visit)}${hiddenFields({ cause })}
${textField({ name: 'person', label: 'Person', value: note?.value ?? visit.person.name, note: 'Empty: unassigned.', choices: known })}
${textField({ name: 'comment', label: 'Comment', value: '' })}
<p class="buttons"><button>Assign</button> <a href="/attention">Cancel</a></p></form>`,
    };
  },
  async submit(visit, fields) {
    const note = { cause: fields.one('cause'), person: fields.one('person'), comment: fields.one('comment') };
    await assignCause(visit.actionContext(), note, deciderOf(visit));
    return { to: '/attention' };
  },
};
