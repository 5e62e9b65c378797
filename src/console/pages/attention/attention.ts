import { assignCause } from '../../../actions/assign.js';
import type { QueryResult } from '../../../actions/browse/queries.js';
import { type Html, html } from '../../../report/page/html.js';
import { linkTo } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { sentence } from '../../../report/text/sentence.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import { causeHelp } from '../help.js';
import { livePart, type Page } from '../page.js';
import { choicesOf, formToken, hiddenFields, textField } from '../parts/fields.js';
import { type Column, filterForm, listTable } from '../parts/list-table.js';
import { rowsHref } from '../parts/report-sections.js';
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
    const { causes, refusedFiles, assigned } = await visit.query('causes', {});
    return {
      title: 'Needs attention',
      section: '/attention',
      isLive: true,
      content: html`${livePart('causes', 'Rows by cause')`${causes.length === 0 ? html`<p class="empty">No rows need attention. <a href="/files">Files</a> shows the state of every row.</p>` : causeTable(visit, causes, assigned)}`}
${refusedFiles.length === 0 ? '' : refusedFilesTable(visit, refusedFiles)}`,
    };
  },
};

function causeTable(visit: Visit, causes: readonly Cause[], notes: readonly Assigned[]): Html {
  const { address } = visit;
  const { assigned = '' } = address.query;
  const personOf = ({ code }: Cause) => notes.find(({ subject }) => subject === code)?.value ?? UNASSIGNED;
  const shown = causes.filter((cause) => assigned === '' || personOf(cause) === assigned);
  const people = choicesOf([...new Set(causes.map(personOf))]);
  return html`${visit.seesPeople ? filterForm(address, [{ name: 'assigned', label: 'Assigned to', choices: people }]) : ''}
${
  shown.length === 0
    ? html`<p class="empty">No cause matches. <a href="/attention">Show all ${causes.length}</a></p>`
    : listTable('Causes', shown, columnsFor(visit, notes))
}
${visit.seesPeople ? html`<p class="buttons"><a href="/attention/rows">All rows that need attention</a></p>` : ''}`;
}

function columnsFor(visit: Visit, notes: readonly Assigned[]): readonly Column<Cause>[] {
  const { mayAct, seesPeople } = visit;
  return [
    {
      title: 'Cause',
      cell: (cause) =>
        html`${sentenceOf(visit, cause)}<br><small>${cause.code}, for example <bdi>${cause.example}</bdi>. <a href="${causeHelp({ state: cause.states[0]?.state ?? 'invalid', code: cause.code })}" aria-label="What it means: ${cause.code}">What it means</a></small>`,
    },
    { title: 'Rows', isNumber: true, cell: ({ count }) => count },
    { title: 'Files', isNumber: true, cell: ({ files }) => files },
    {
      title: 'State',
      isShort: true,
      cell: ({ states }) =>
        states.length === 1
          ? (states[0]?.state ?? '')
          : html`<ul>${states.map(({ state, count }) => html`<li>${numberText(count)} ${state}</li>`)}</ul>`,
    },
    { title: 'What to do', cell: (cause) => whatToDo(cause, mayAct) },
    ...(seesPeople
      ? [
          {
            title: 'Assigned to',
            cell: ({ code }: Cause) => {
              const note = notes.find(({ subject }) => subject === code);
              return html`${note === undefined ? '' : assignedText(note)} ${mayAct ? html`<a href="${hrefOf({ path: ASSIGN_PATH, query: { cause: code } })}">${note === undefined ? 'Assign' : 'Change'}</a>` : ''}`;
            },
          },
        ]
      : []),
  ];
}

function whatToDo({ code, remedy, who, remedies, choices }: Cause, mayAct: boolean): Html {
  const acts = [
    ...remedies.map(remedyLink),
    ...choices.map((choice) => html`<small>${choice.when}:</small> ${remedyLink(choice.remedy)}`),
  ];
  return html`${!mayAct || acts.length === 0 ? '' : html`<p class="buttons">${acts}</p>`}<details><summary aria-label="How to fix: ${code}">How to fix</summary>${remedy} <small>For ${who}.</small></details>`;
}

function sentenceOf(visit: Visit, { states, code, reason }: Cause): Html {
  const href = rowsHref(visit, { states: states.map(({ state }) => state).join(','), cause: code });
  return linkTo(href, sentence(reason));
}

function refusedFilesTable({ mayAct }: Visit, refusedFiles: readonly RefusedFile[]): Html {
  const remedies: Column<RefusedFile> = {
    title: 'What to do',
    isShort: true,
    cell: (file) => remedyLink(file.remedy),
  };
  return livePart('refused', counted(refusedFiles.length, 'refused file'))`
<p class="second">A refused file is not imported at all. Fix it and drop it again.</p>
${listTable('Refused files, latest first', refusedFiles, mayAct ? [...REFUSED, remedies] : REFUSED)}`;
}

const REFUSED: readonly Column<RefusedFile>[] = [
  { title: 'File', cell: ({ drop, file }) => dropLink(drop, file) },
  { title: 'Source', isShort: true, cell: ({ source }) => html`<bdi>${source}</bdi>` },
  { title: 'When', cell: ({ importedAt }) => when(importedAt) },
  { title: 'Why', cell: ({ refusal }) => html`<span class="refusal">${sentence(refusal)}</span>` },
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
