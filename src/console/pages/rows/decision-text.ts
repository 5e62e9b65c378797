import type { TracedDecision } from '../../../documents/trace.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import { when } from '../parts/when.js';

/** Who decided what, when and why, with the way to the decision. */
export function decisionText(visit: Visit, { decisionId, kind, who, because, madeAt }: TracedDecision): Html {
  return html`<a href="/decisions/${decisionId}">${kind}</a> of <bdi>${who}</bdi>, ${when(visit, madeAt)}${because === null ? '' : html`: <q>${because}</q>`}`;
}
