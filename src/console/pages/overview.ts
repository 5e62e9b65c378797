import { html } from '../../report/page/html.js';
import { numberText } from '../../report/page/words.js';
import type { Page } from './page.js';

/** How things stand: what waits and until when, what needs somebody, what happened last. */
export const overviewPage: Page = {
  path: '/',
  async show(_visit, desk) {
    const found = await desk.ask('status', {});
    return {
      title: 'Overview',
      section: '/',
      isLive: true,
      content: html`<section id="attention" aria-labelledby="attention-title">
<h2 id="attention-title">What needs somebody</h2>
${found.attention.length === 0 ? html`<p class="empty">No row needs anybody.</p>` : ''}
<ul>${found.attention.map(({ reason, count }) => html`<li>${numberText(count)} ${reason}</li>`)}</ul>
</section>`,
    };
  },
};
