import { html } from '../../../report/page/html.js';
import type { Page } from '../page.js';
import { newSourceForm } from '../settings/new-source.js';
import { deliveries } from './deliveries.js';
import { lastRuns } from './last-runs.js';
import { needs } from './needs.js';
import { overviewVerdict } from './overview-verdict.js';
import { waiting } from './waiting.js';

/** The overview: whether the books balance, waiting rows and their estimate, what needs attention, what happened last. */
export const overviewPage: Page = {
  path: '/',
  async show(visit, desk) {
    const found = await desk.ask('overview', {});
    return {
      title: 'Overview',
      section: '/',
      isLive: true,
      content: html`${overviewVerdict(visit, found)}${found.verdict === 'nothing' && visit.mayAct ? newSourceForm(visit, desk) : ''}
<section id="needs" data-part aria-labelledby="needs-title">
<h2 id="needs-title">Needs attention</h2>
${needs(visit, found)}
</section>
<section id="waiting" data-part aria-labelledby="waiting-title">
<h2 id="waiting-title">Queue</h2>
${waiting(visit, found)}
</section>
<section id="deliveries" data-part aria-labelledby="deliveries-title">
<h2 id="deliveries-title">Deliveries over time</h2>
${deliveries(visit, found)}
</section>
<section id="runs" data-part aria-labelledby="runs-title">
<h2 id="runs-title">Last runs</h2>
${lastRuns(visit, found)}
</section>`,
    };
  },
};
