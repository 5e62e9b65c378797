import { hash } from 'node:crypto';
import { mapStrings } from '../../domain/text/map-strings.js';
import { isUnresolvedRefusal } from '../../ledger/books/files/drop-list.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { VERSION } from '../../version.js';
import { files } from '../sections/files.js';
import { findings } from '../sections/findings.js';
import { proof } from '../sections/proof.js';
import type { Section } from '../sections/section.js';
import { settings } from '../sections/settings.js';
import { accounts, headline, reportVerdict } from '../sections/verdict.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { sentence } from '../text/sentence.js';
import { maskAddresses, maskRefusal } from '../words/mask.js';
import { terms } from '../words/terms.js';
import { attentionListHtml } from './attention-list.js';
import { causeId, causes } from './causes.js';
import type { PageFacts } from './facts.js';
import { type Html, html, joined, renderHtml, trustedHtml } from './html.js';
import { contentHtml, sectionHtml, verdictHtml } from './section-html.js';
import { PAGE_STYLE } from './style.js';
import { sums } from './sums.js';
import { timeline } from './timeline.js';
import { fileLink, richTextHtml, timeText } from './words.js';

/**
 * A report as one self-contained page: no script, nothing from any host, at most two megabytes for any report. Numbers of the
 * model are in `data` elements with `data-figure`.
 */
export function htmlPage(whole: PageFacts): string {
  const facts = maskedFacts(whole);
  const { report } = facts;
  const sections = sectionsOf(facts);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title(report.selection)} · Registrar</title>
<link rel="icon" href="data:,">
<style>${trustedHtml(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top">
<p class="brand">Registrar <span>report</span></p>
<p class="selection">${selectionText(facts)}</p>
<p class="badge ${report.balanced ? 'good' : 'bad'}" data-balanced="${String(report.balanced)}">${report.balanced ? '✓ Books balance' : '✕ Books don’t balance'}</p>
</header>
<main id="main" tabindex="-1">
${verdict(facts)}
<nav aria-label="Sections"><ul>${sections.map(([{ id, title: name }]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${sections.map(([section, content]) => sectionHtml(section, content))}
</main>
<footer>${footer(facts)}</footer>
</body>
</html>
`;
  return renderHtml(page);
}

/** Without addresses, which names of files may hold, and without the cells that a refusal quotes. */
function maskedFacts({ report, causes, ...facts }: PageFacts): PageFacts {
  const masked = (text: string, member: string) =>
    member === 'refusal' ? maskRefusal(text) : maskAddresses(text);
  return { ...facts, ...mapStrings({ report, causes }, masked) };
}

/** Nothing may be loaded or run. One style is allowed by its digest, so that no other style can be smuggled in. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', PAGE_STYLE, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'`;

export function verdict(facts: PageFacts): Html {
  const { report, workbookFile, links } = facts;
  const text = richTextHtml(headline(report));
  const open = html`<p class="open">${fileLink(workbookFile ?? '', `Open ${workbookFile}: what to do, sheet by sheet`)}</p>`;
  const content = html`${links === undefined ? html`<h1>${text}</h1>` : html`<p class="headline">${text}</p>`}
${workbookFile === null ? '' : open}
<p class="second">${report.balanced ? accounts(links === undefined ? report : { ...report, attentionElsewhere: NOTHING }).join(' ') : DAMAGE}</p>
${report.balanced ? needs(facts) : ''}`;
  return verdictHtml(reportVerdict(report), content);
}

/** The console has its own pages for these. */
const NOTHING = { rows: 0, files: 0 };

const DAMAGE = html`Keep the ledger unchanged, and check <a href="#books">what differs</a>. This is damage or a bug, not a fault of the files.`;

type Part = readonly [Pick<Section, 'id' | 'title'>, Html];

export function sectionsOf(facts: PageFacts): readonly Part[] {
  const { report, otherFiles, links } = facts;
  const part = (section: Section): Part => [section, contentHtml(section, otherFiles, links)];
  const notes = findings(report);
  const damage = part(proof(report));
  return [
    ...(report.balanced ? [] : [damage]),
    ...notes.outages.map(part),
    [{ id: 'rows', title: 'Where every row went' }, sums(report, facts.links)],
    [
      { id: 'attention', title: 'Needs attention' },
      report.causes.length > 0 ? causes(facts) : html`<p class="empty">No rows need attention.</p>`,
    ],
    ...notes.others.map(part),
    [
      { id: 'timeline', title: 'Requests over time' },
      facts.timeline === null ? html`<p class="empty">No request was sent.</p>` : timeline(facts.timeline),
    ],
    report.files.length > 0
      ? part(files(report))
      : [{ id: 'files', title: 'Files' }, html`<p class="empty">No files were received.</p>`],
    ...(report.balanced ? [damage] : []),
    part(settings(report, facts)),
  ];
}

function title(selection: ReportSelection): string {
  if (selection.runId !== undefined) return `Run ${selection.runId}`;
  return selection.fileName ?? 'All files';
}

function selectionText({ report, run }: PageFacts): Html {
  const { selection } = report;
  const parts = [
    run === null
      ? null
      : html`<b>Run ${run.runId}</b> (${terms().triggers[run.trigger]}), ${timeText(run.startedAt)} to ${timeText(run.endedAt ?? report.at)}`,
    selection.source === undefined ? null : html`source <b>${selection.source}</b>`,
    selection.fileName === undefined ? null : html`file <b><bdi>${selection.fileName}</bdi></b>`,
    selection.since === undefined ? null : html`imported from ${timeText(selection.since)}`,
    selection.until === undefined ? null : html`imported before ${timeText(selection.until)}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return html`<b>All files</b> until ${timeText(report.at)}`;
  return joined(parts);
}

function footer({ report, otherFiles }: PageFacts): Html {
  return html`${
    otherFiles.length > 0
      ? html`<p>Beside this page: ${joined(otherFiles.map((name) => fileLink(name)))}.</p>
`
      : ''
  }<p><b>Made to be passed on: it has no rows.</b> E-mail addresses are masked wherever a name or a sentence has one (<code>jane@example.com</code> is <code>j…@e….com</code>). The files meant for correction have the rows.</p>
<p>All numbers show the ledger at one moment, ${timeText(report.at)}. Times are UTC. Written by Registrar ${VERSION}.</p>`;
}

function needs({ report, causes }: PageFacts): Html {
  const problems = lastingOutages(report).map((outage) => ({
    ...outage,
    message: sentence(outageSubject(outage)),
    isFailed: true,
  }));
  const refused = report.files.filter(isUnresolvedRefusal).length;
  const targets = { cause: (index: number) => `#${causeId(index)}`, causes: '#attention', refused: '#files' };
  return attentionListHtml({ problems, causes, refused, unmatched: report.unmatched ?? [] }, targets);
}
