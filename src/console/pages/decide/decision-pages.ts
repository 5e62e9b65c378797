import { reasonMissing } from '../../../actions/decision/verb.js';
import {
  factsOf,
  needsRows,
  VERBS,
  type VerbFacts,
  type VerbName,
} from '../../../actions/decision/verb-facts.js';
import { IDENTIFIER_TYPES } from '../../../actions/learners/learners-named.js';
import { loadVerb } from '../../../actions/load-verb.js';
import type { RerunPlan } from '../../../actions/rerun.js';
import type { OperatorError } from '../../../domain/operator-error.js';
import { capitalized } from '../../../domain/text/count-of.js';
import { selectionIn } from '../../../domain/text/selection-text.js';
import { html } from '../../../report/page/html.js';
import { tableHtml } from '../../../report/page/section-html.js';
import { richTextHtml } from '../../../report/page/words.js';
import { beginRerun } from '../../work/begin-run.js';
import { planDecision } from '../../work/console-context.js';
import { statusOf } from '../../work/status-of.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import { type Page, type PageView, sectionOf } from '../page.js';
import {
  CHANGED_SINCE,
  choiceField,
  choicesOf,
  formToken,
  hiddenFields,
  notice,
  reasonField,
  reasonIn,
  textField,
} from '../parts/fields.js';
import { parseNumber } from '../parts/parse-params.js';
import { expectedRefusal, problemText } from '../problem.js';

/** The pages of the verbs: each shows what the decision that its address is about would do, and decides it. */
export const DECISION_PAGES: readonly Page[] = (Object.keys(VERBS) as VerbName[]).flatMap((name) => {
  const { page } = factsOf(name);
  return page === undefined ? [] : [decisionPage(name, page)];
});

/** Carries a decision out, and returns the page that follows it; null: nothing was decided. What is sent again goes on after the answer. */
async function decide(name: VerbName, visit: Visit, planned: unknown, because: string | null) {
  const who = deciderOf(visit);
  if (name === 'rerun') {
    const { first } = await beginRerun(visit, planned as RerunPlan, who, because);
    return `/runs/${first.run}?decision=${first.decision}`;
  }
  const verb = await loadVerb(name);
  const { decisionId } = await verb.carryOut(visit.actionContext(), planned, who, because);
  return decisionId === null ? null : `/decisions/${decisionId}`;
}

function decisionPage(
  name: VerbName,
  { title, section, button, isShownElsewhere }: NonNullable<VerbFacts['page']>,
): Page {
  const { needsReason, rows, fields: own } = factsOf(name);
  // Where the address of a verb that isn't about chosen rows lacks a value, there is a form for it.
  const hasForm = rows === undefined;

  /** The form for what the decision is about. @param problem why the plan can't be made; null: there is none yet. */
  const entryForm = ({ address: { query } }: Visit, problem: OperatorError | null): PageView => {
    if (!hasForm) return { title, section, status: 400, content: html`<p class="empty">${NO_ROWS}</p>` };
    const fields = Object.entries(own).filter(([, { kind }]) => kind !== 'number');
    return {
      title,
      section,
      ...(problem === null ? {} : { status: statusOf(problem) }),
      content: html`${notice(problem && problemText(problem), 'bad')}
${sectionOf('whom', title)`<form method="get" action="/decide/${name}">
${fields.map(([field, { about, kind, isRequired = false }]) => {
  const [label = ''] = about.split(/[;,]/);
  const facts = { name: field, label: capitalized(label), value: query[field] ?? '', isRequired };
  return kind === 'type' ? choiceField(facts, TYPES) : textField(facts);
})}
<p class="buttons"><button>Show what would change</button> <a href="${section}">Cancel</a></p></form>`}`,
    };
  };

  const shownPlan = async (visit: Visit, planned: unknown, message: string | null = null, because = '') => {
    const { headline, lines, tables, changes, fingerprint } = (await loadVerb(name)).preview(planned);
    return {
      title,
      section,
      content: html`${notice(message)}
${sectionOf('plan', richTextHtml(headline))`
${lines.length === 0 ? '' : html`<ul>${lines.map((line) => html`<li>${richTextHtml(line)}</li>`)}</ul>`}
${
  changes
    ? html`<form method="post" action="${hrefOf(visit.address)}">${formToken(visit)}${hiddenFields({ fingerprint })}
${reasonField(needsReason, because)}
<p class="buttons"><button>${button}</button> <a href="${section}">Cancel</a></p></form>`
    : html`<p class="empty">Nothing would change.</p>
<p><a href="/attention">Needs attention</a></p>`
}`}
${tables
  .filter(({ rows: shown }) => shown.length > 0)
  .map((table, index) => sectionOf(`table-${index}`, table.caption)`${tableHtml(table, [])}`)}`,
    };
  };

  return {
    path: `/decide/${name}`,
    roles: ['operator'],
    async show(visit) {
      const request = requestIn(name, visit.address.query);
      if (request === null) return entryForm(visit, null);
      try {
        return await shownPlan(visit, await planDecision(visit, name, request));
      } catch (error) {
        if (!hasForm) throw error;
        return entryForm(visit, expectedRefusal(error));
      }
    },
    async submit(visit, fields) {
      const request = requestIn(name, visit.address.query);
      if (request === null) return { page: entryForm(visit, null) };
      const planned = await planDecision(visit, name, request);
      const because = reasonIn(fields);
      const again = async (message: string) => {
        const page = await shownPlan(visit, planned, message, because ?? '');
        return { page: { ...page, status: 409 as const } };
      };
      const { changes, fingerprint } = (await loadVerb(name)).preview(planned);
      const isCurrent =
        fields.one('fingerprint') === fingerprint ||
        (isShownElsewhere && !fields.names().includes('fingerprint'));
      if (needsReason && because === null) return again(problemText(reasonMissing(name)));
      if (!isCurrent) return again(CHANGED_SINCE);
      const to = changes ? await decide(name, visit, planned, because) : null;
      return to === null ? again('Nothing would change, so no decision was recorded.') : { to };
    },
  };
}

/** What an address requests of a verb; null where it lacks a value or rows that are needed. */
function requestIn(name: VerbName, query: Visit['address']['query']): Record<string, unknown> | null {
  const { fields, rows } = factsOf(name);
  const request: Record<string, unknown> = {};
  for (const [field, { kind, isRequired, mayBeEmpty, default: usual }] of Object.entries(fields)) {
    const sent = kind === 'name' ? query[field]?.trim() : query[field];
    const text = sent === '' && !mayBeEmpty ? undefined : sent;
    if (isRequired && text === undefined) return null;
    request[field] = kind === 'number' ? (parseNumber(text) ?? usual) : text;
  }
  if (rows === undefined) return request;
  const selection = selectionIn(query, rows.selectable);
  return selection === null && needsRows(name, request) ? null : { ...request, selection };
}

const NO_ROWS = html`No rows are selected. Tick rows of <a href="/attention">a cause</a>, or take all of them.`;

const TYPES = [{ value: '', label: 'as in its rows' }, ...choicesOf(IDENTIFIER_TYPES)];
