import { reasonMissing, type Verb } from '../../../actions/decision/verb.js';
import type { Decider } from '../../../domain/decider.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { type Html, html } from '../../../report/page/html.js';
import { tableHtml } from '../../../report/page/section-html.js';
import { saidHtml } from '../../../report/page/words.js';
import { deciderOf, hrefOf, type Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { plannedBy } from '../../work/planned.js';
import { type Page, type Section, type Shown, sectionOf } from '../page.js';
import { CHANGED_SINCE, formToken, hiddenFields, notice, reasonField, reasonIn } from '../parts/fields.js';
import { problemText } from '../problem.js';

/** A decision with a page of its own: what it would do, and the form that decides it. */
export interface DecisionDoor<Request, Plan> {
  readonly verb: Pick<Verb<Request, Plan, never>, 'name' | 'needsReason' | 'preview'>;
  readonly title: string;
  readonly section: Section;
  readonly button: string;
  /** What the address is about; null: it doesn't say. */
  request(query: Visit['address']['query']): Request | null;
  /** Said where the address doesn't say what it is about; absent: no rows are selected. */
  readonly missing?: Html;
  /** The page instead of that. @param problem why the plan can't be made; null: there is none yet. Absent: both are pages of their own. */
  asks?(visit: Visit, problem: OperatorError | null): Shown;
  /** True where other pages show what would be done, and send no figures: then a reason is enough. */
  readonly isShownElsewhere?: boolean;
}

/**
 * Shows what the decision that the page's address is about would do, and decides it, where its reader has seen that. @param decide carries
 * it out, and returns the page that follows it; null: nothing was decided.
 */
export function decisionPage<Request, Plan>(
  door: DecisionDoor<Request, Plan>,
  decide: (
    context: ConsoleContext,
    plan: Plan,
    who: Decider,
    because: string | null,
  ) => Promise<string | null>,
): Page {
  return {
    path: pathOf(door.verb),
    roles: ['operator'],
    async show(visit, context) {
      const request = door.request(visit.address.query);
      if (request === null) return asks(door, visit);
      try {
        return shownPlan(door, visit, await plannedBy(context, door.verb, request));
      } catch (error) {
        if (!(error instanceof OperatorError) || error.exit !== 'usage' || !door.asks) throw error;
        return door.asks(visit, error);
      }
    },
    async submit(visit, fields, context) {
      const request = door.request(visit.address.query);
      if (request === null) return { shown: asks(door, visit) };
      const planned = await plannedBy(context, door.verb, request);
      const because = reasonIn(fields);
      const again = (said: string | null) => ({
        shown: { ...shownPlan(door, visit, planned, said, because ?? ''), status: 409 as const },
      });
      const { changes, seen } = door.verb.preview(planned);
      const isSeen =
        fields.one('seen') === seen || (door.isShownElsewhere && !fields.names().includes('seen'));
      if (door.verb.needsReason && because === null) return again(problemText(reasonMissing(door.verb.name)));
      if (!isSeen) return again(CHANGED_SINCE);
      const to = changes ? await decide(context, planned, deciderOf(visit), because) : null;
      return to === null ? again('Nothing would change, so no decision was recorded.') : { to };
    },
  };
}

const NO_ROWS = html`No rows are selected. Tick rows of <a href="/attention">a cause</a>, or take all of them.`;

function asks<Request, Plan>(door: DecisionDoor<Request, Plan>, visit: Visit): Shown {
  const { title, section, missing = NO_ROWS } = door;
  const content = html`<p class="empty">${missing}</p>`;
  return door.asks?.(visit, null) ?? { title, section, status: 400, content };
}

function pathOf({ name }: Pick<Verb<never, never, never>, 'name'>): string {
  return `/decide/${name}`;
}

function shownPlan<Request, Plan>(
  { verb, title, section, button }: DecisionDoor<Request, Plan>,
  visit: Visit,
  planned: Plan,
  said: string | null = null,
  because = '',
): Shown {
  const { headline, lines, tables, changes, seen } = verb.preview(planned);
  return {
    title,
    section,
    content: html`${notice(said)}
${sectionOf('plan', saidHtml(headline))`
${lines.length === 0 ? '' : html`<ul>${lines.map((line) => html`<li>${saidHtml(line)}</li>`)}</ul>`}
${
  changes
    ? html`<form method="post" action="${hrefOf(visit.address)}">${formToken(visit)}${hiddenFields({ seen })}
${reasonField(verb.needsReason, because)}
<p class="buttons"><button>${button}</button> <a href="${section}">Cancel</a></p></form>`
    : html`<p class="empty">Nothing would change.</p>
<p><a href="/attention">Needs attention</a></p>`
}`}
${tables
  .filter(({ rows }) => rows.length > 0)
  .map((table, index) => sectionOf(`table-${index}`, table.caption)`${tableHtml(table, [])}`)}`,
  };
}
