import { type Html, html } from '../../report/page/html.js';
import type { Visit } from '../visits/visit.js';
import { SEARCH_PATH, SECTIONS, type Shown } from './page.js';
import { formToken } from './parts/fields.js';

/** A page: the place, the user, the heading, and the content. @param visit null: without a sign-in. */
export function pageMarkup(
  visit: Visit | null,
  { title, section, isLive = false, content }: Shown,
  assets: { readonly style: string; readonly script: string; readonly icon: string },
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Registrar</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" defer></script>
</head>
<body class="console" data-live="${isLive ? '/events' : ''}" data-zone="${visit?.timeZone ?? ''}">
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
<p class="brand"><a href="/">Registrar</a></p>
${visit === null ? null : searchField(visit)}
${visit === null ? null : person(visit)}
${visit === null ? null : navigation(section)}
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
<footer><p>${zoneText(visit)}${visit === null ? '' : html` <a href="/help">Help</a>`}</p></footer>
</body>
</html>
`;
}

/** On every page; the script gives it the focus at a slash. */
function searchField({ address: { path, query } }: Visit): Html {
  const value = path === SEARCH_PATH ? (query.q ?? '') : '';
  return html`<form class="find" method="get" action="${SEARCH_PATH}" role="search" aria-label="Everything"><input id="find" name="q" type="search" value="${value}" maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Person, course, file, run, error id" aria-label="Search" aria-keyshortcuts="/"></form>`;
}

function navigation(section: Shown['section']): Html {
  return html`<nav aria-label="Pages"><ul>${SECTIONS.map(
    ({ path, name }) =>
      html`<li><a href="${path}"${path === section ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )}</ul></nav>`;
}

function person(visit: Visit): Html {
  const { name, role } = visit.person;
  return html`<div class="person"><p><bdi>${name}</bdi> <span class="chip calm">${role}</span></p>${
    visit.hasSession
      ? html`<form method="post" action="/log-out">${formToken(visit)}<button class="plain">Sign out</button></form>`
      : ''
  }</div>`;
}

function zoneText(visit: Visit | null): string {
  const zone = visit?.timeZone ?? null;
  return zone === null || zone === 'UTC'
    ? 'Times are UTC.'
    : `Times are in ${zone}. Point at a time to see UTC.`;
}
