import { html, renderHtml } from '../../report/page/html.js';
import type { InParts } from '../pages/document.js';
import { pageHead, pageRest } from '../pages/layout.js';
import type { Head, Shown } from '../pages/page.js';
import type { Visit } from '../visits/visit.js';
import { assetPaths } from './assets.js';

/** The page's markup as it is sent. @param visit null: for somebody who isn't known. */
export function renderShown(visit: Visit | null, shown: Shown): string {
  return renderHead(visit, shown) + renderHtml(pageRest(visit, shown.content));
}

/** The same page as one whose head may be sent before its content is known. */
export function shownInParts(visit: Visit, head: Head, shown: Promise<Shown>): InParts {
  return {
    head: renderHead(visit, head),
    rest: shown.then(({ content }) => renderHtml(pageRest(visit, content))),
    broken: ({ title, content }) => renderHtml(pageRest(visit, html`<h2>${title}</h2>\n${content}`)),
  };
}

function renderHead(visit: Visit | null, head: Head): string {
  return renderHtml(pageHead(visit, head, assetPaths()));
}
