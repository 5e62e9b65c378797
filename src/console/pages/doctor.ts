import type { Finding } from '../../actions/doctor/finding.js';
import { agreeing } from '../../domain/text/count-of.js';
import { html } from '../../report/page/html.js';
import { chip } from '../../report/page/words.js';
import { counted } from '../../report/text/counted.js';
import type { Visit } from '../work/visit.js';
import { type Page, type PageView, sectionOf } from './page.js';
import { formToken } from './parts/fields.js';
import { type Column, listTable } from './parts/list-table.js';

/** What doctor finds: without using a platform, and by the form with a token of each environment, which takes a place in the quota. */
export const doctorPage: Page = {
  path: '/doctor',
  async show(visit) {
    return shownFindings(visit, await visit.query('doctor', { asksPlatforms: false }));
  },
  async submit(visit) {
    return { page: shownFindings(visit, await visit.query('doctor', { asksPlatforms: true })) };
  },
};

const COLUMNS: readonly Column<Finding>[] = [
  { title: 'What', cell: ({ subject }) => html`<bdi>${subject}</bdi>` },
  { title: 'Found', cell: ({ verdict }) => chip(LOOKS[verdict], verdict) },
  { title: 'Check', cell: ({ check }) => check },
  {
    title: 'In words',
    cell: ({ message, remedy }) => html`${message}${remedy === '' ? '' : html`<br><b>${remedy}</b>`}`,
  },
];

function shownFindings(visit: Visit, findings: readonly Finding[]): PageView {
  const having = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict);
  const [passed, wrong] = [having('ok'), [...having('broken'), ...having('attention')]];
  return {
    title: 'Doctor',
    section: '/doctor',
    content: sectionOf(
      'findings',
      wrong.length === 0
        ? 'All clear'
        : `${counted(wrong.length, 'finding')} ${agreeing(wrong.length, 'needs', 'need')} attention`,
    )`${wrong.length === 0 ? '' : listTable('What needs attention', wrong, COLUMNS)}
<details><summary>${counted(passed.length, 'check')} passed</summary>${listTable('What was found in order', passed, COLUMNS)}</details>
${
  visit.mayAct
    ? html`<form method="post" action="/doctor">${formToken(visit)}<p class="buttons"><button class="second-choice">Check the platforms too</button> <span class="note">uses one request of each quota</span></p></form>`
    : ''
}`,
  };
}

const LOOKS = { ok: 'good', attention: 'open', broken: 'bad' } as const;
