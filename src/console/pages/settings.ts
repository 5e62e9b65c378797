import { html } from '../../report/page/html.js';
import { contentHtml, sectionHtml } from '../../report/page/section-html.js';
import { settings } from '../../report/sections/settings.js';
import type { Page } from './page.js';

/** What decides how rows are read and sent, as registrar.yaml was read. */
export const settingsPage: Page = {
  path: '/settings',
  async show(_visit, desk) {
    const { registrar, node, sqlite, schema } = await desk.ask('versions', {});
    // Settings by name, and none that gives access or names people: no viewer needs them masked.
    const section = settings({ files: [] }, { versions: [], config: desk.context().config });
    return {
      title: 'Settings',
      section: '/settings',
      content: html`<section aria-labelledby="versions">
<h2 id="versions">Versions</h2>
<dl class="pairs">
<dt>Registrar</dt><dd>${registrar}</dd>
<dt>Node.js</dt><dd>${node}</dd>
<dt>SQLite</dt><dd>${sqlite}</dd>
<dt>Ledger schema</dt><dd>${schema}</dd>
</dl>
</section>
${sectionHtml({ id: section.id, title: 'registrar.yaml' }, contentHtml(section, []))}`,
    };
  },
};
