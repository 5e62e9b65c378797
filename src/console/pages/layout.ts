import { type Html, html, renderHtml } from '../../report/page/html.js';
import { numberText } from '../../report/text/counted.js';
import type { Visit } from '../work/visit.js';
import { assets } from './assets.js';
import { GROUPS, type PageView, SEARCH_PATH } from './page.js';
import { formToken } from './parts/fields.js';

/**
 * The HTML of a page before and after the rest of its content. @param visit null: without a sign-in. @param around the installation's
 * name; the rows that need attention, null: unknown; and the ledger's pulse before the page was read.
 */
export function renderPage(
  visit: Visit | null,
  { title, section, isLive = false, content }: PageView,
  around: { readonly name: string | null; readonly attention: number | null; readonly pulse: string },
): readonly [string, string] {
  const { icon, style, script } = assets();
  const { name, attention, pulse } = around;
  const text = renderHtml(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${name === null ? '' : ` · ${name}`} · Registrar</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${style.path}">
<script src="${script.path}" defer></script>
</head>
<body class="console${visit === null ? ' outside' : ''}"${isLive ? html` data-live="${pulse}"` : ''}>
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
<p class="brand"><a href="/">Registrar${name === null ? '' : html` <span><bdi>${name}</bdi></span>`}</a></p>
${visit?.seesPeople ? searchField(visit) : null}
${visit === null ? null : person(visit)}
${visit === null ? null : navigation(visit, section, attention)}
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
<footer><p><span id="times">Times are UTC.</span>${visit === null ? '' : html` <a href="/help">Help</a>`}</p></footer>
${visit === null ? null : html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keyboard</h2>${keyList(visit)}<form method="dialog"><button class="second-choice">Close</button></form></dialog>`}
</body>
</html>
`);
  const end = text.lastIndexOf('</main>');
  return [text.slice(0, end), text.slice(end)];
}

/** On every page; the script gives it the focus at a slash. */
function searchField({ address: { path, query } }: Visit): Html {
  const value = path === SEARCH_PATH ? (query.q ?? '') : '';
  return html`<form class="find" method="get" action="${SEARCH_PATH}" role="search" aria-label="Everything"><input id="find" name="q" type="search" value="${value}" maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Person, course, file, run, error id" aria-label="Search" aria-keyshortcuts="/"></form>`;
}

/** All pages in groups. A phone shows the first of each, and the others of the group in which its reader is. */
function navigation({ seesPeople }: Visit, section: PageView['section'], attention: number | null): Html {
  const item = ({ path, name }: (typeof GROUPS)[number][number]) =>
    html`<li><a href="${path}"${path === section ? html` aria-current="page"` : ''}>${name}${
      path === '/attention' && attention ? html` <b class="tally">${numberText(attention)}</b>` : ''
    }</a></li>`;
  return html`<nav id="pages" data-part aria-label="Pages">${GROUPS.map(
    (group) =>
      html`<ul${group.some(({ path }) => path === section) ? html` class="here"` : ''}>${group.filter((page) => seesPeople || !('ofRows' in page)).map(item)}</ul>`,
  )}</nav>`;
}

function person(visit: Visit): Html {
  const { name, role } = visit.person;
  return html`<div class="person"><p><bdi>${name}</bdi> <span class="chip calm">${role}</span></p>${
    visit.hasSession
      ? html`<form method="post" action="/log-out">${formToken(visit)}<button class="plain">Sign out</button></form>`
      : ''
  }</div>`;
}

/** What the script does at a key outside of fields. */
const KEYS = [
  ['/', 'Search'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row'],
  ['x', 'Select or deselect the row'],
  ['e', 'Correct the row, or open it'],
  ['?', 'These keys'],
] as const;

export function keyList({ seesPeople }: Pick<Visit, 'seesPeople'>): Html {
  const keys = seesPeople ? KEYS : KEYS.filter(([key]) => key !== '/');
  return html`<dl class="pairs">${keys.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`;
}
