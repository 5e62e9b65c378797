import { type Html, html } from '../../../report/page/html.js';
import type { Trace } from '../../../report/trace/trace.js';
import type { Visit } from '../../visits/visit.js';
import { when } from '../parts/when.js';

type Decision = NonNullable<Trace['submissions'][number]['madeBy']>;

/** Who decided what, when and why, with the way to the decision. */
export function decisionText(visit: Visit, { decisionId, kind, who, because, madeAt }: Decision): Html {
  return html`<a href="/decisions/${decisionId}">${kind}</a> of <bdi>${who}</bdi>, ${when(visit, madeAt)}${because === null ? '' : html`: <q>${because}</q>`}`;
}
