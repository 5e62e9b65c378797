import type { Choice, Remedy } from '../../domain/remedy.js';
import { agreeing } from '../../domain/text/count-of.js';
import { commandLine } from '../text/command-line.js';
import { counted, numberText } from '../text/counted.js';
import { sentence } from '../text/sentence.js';
import { type CauseGroup, causeAdvice } from '../words/cause-advice.js';
import type { Links, PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { figure, fileLink, inFull, linkTo } from './words.js';

/** The most causes with a card: further ones have few rows, or are too many to be looked at on a page. */
const MAX_CARDS = 50;

/** Why rows need attention, most rows first: what happened, the owner and the remedy, and the files. */
export function causes(facts: PageFacts): Html {
  const cards = facts.causes.slice(0, MAX_CARDS).map((cause, index) => card(facts, cause, index));
  const unshown = facts.causes.length - cards.length;
  const { links } = facts;
  const { learners, rows } = facts.report.unknownLearners;
  return html`${links === undefined ? html`<p class="lead">Commands are given in the workspace folder; with <code>--dry-run</code> a rerun only lists what it would send.</p>` : ''}
${learners === 0 ? '' : html`<p class="note">The platform does not know ${figure('unknownLearners.learners', learners)} ${agreeing(learners, 'learner', 'learners')} with ${figure('unknownLearners.rows', rows)} ${agreeing(rows, 'row', 'rows')}${links === undefined ? html`; <code>registrar map</code> lists them with similar known learners` : ''}.</p>`}
${cards}
${unshown > 0 ? html`<p class="note">${counted(unshown, 'further cause')} with fewer rows: ${links?.whole ?? inFull(facts.otherFiles)}.</p>` : ''}`;
}

function card(facts: PageFacts, cause: CauseGroup, index: number): Html {
  const id = causeId(index);
  const { who, remedies, choices, correctable } = causeAdvice(cause, facts.report.selection);
  const { links } = facts;
  return html`<article class="cause" id="${id}" aria-labelledby="${id}-title">
<p class="big"><b${cause.count < 100_000 ? '' : html` class="long"`}>${numberText(cause.count)}</b> <span>${cause.count === 1 ? 'row' : 'rows'}</span></p>
<div>
<h3 id="${id}-title">${linkTo(links?.cause(cause) ?? null, sentence(cause.reason))}</h3>
<p class="meta">${cause.states.map((state) => stateCount(cause.code, state))} <code>${cause.code}</code> <span>for example <bdi>${cause.example}</bdi></span></p>
<p>${sentence(cause.remedy)}</p>
<p class="who">For <b>${who}</b>${correctable ? correctIn(facts) : ''}.</p>
${filesOf(facts, cause)}
${links === undefined ? commands(cause.code, remedies, choices) : buttons(links, remedies, choices)}
</div>
</article>
`;
}

function buttons({ remedy: link }: Links, remedies: readonly Remedy[], choices: readonly Choice[]): Html {
  if (remedies.length + choices.length === 0) return html``;
  return html`<p class="buttons">${remedies.map((remedy) => html`${link(remedy)} `)}${choices.map(({ when, remedy }) => html`<small>${when}:</small> ${link(remedy)} `)}</p>`;
}

function commands(code: string, remedies: readonly Remedy[], choices: readonly Choice[]): Html {
  return html`${remedies.length > 0 ? html`<pre tabindex="0" role="region" aria-label="Commands for ${code}"><code>${remedies.map((remedy, line) => [line === 0 ? '' : LINE_END, commandLine(remedy)])}</code></pre>` : ''}
${choices.length > 0 ? html`<ul class="choices">${choices.map(({ when, remedy }) => html`<li>${when}: <code>${commandLine(remedy)}</code></li>`)}</ul>` : ''}`;
}

function filesOf({ attentionFile, links }: PageFacts, { drops }: CauseGroup): Html {
  const shown = drops.slice(0, MAX_FILES);
  const rest = drops.slice(MAX_FILES);
  const remaining = rest.reduce((sum, { count }) => sum + count, 0);
  return html`<ul class="where" aria-label="Files">${shown.map(
    ({ drop: dropId, file, count }) =>
      html`<li><b>${counted(count, 'row')}</b> in ${links === undefined ? html`<bdi>${file}</bdi>` : html`<a href="${links.file(dropId)}"><bdi>${file}</bdi></a>`} (drop ${String(dropId)}${attentionFile === null ? '' : html`: ${fileLink(attentionFile(dropId))}`})</li>`,
  )}${rest.length > 0 ? html`<li><b>${counted(remaining, 'row')}</b> in ${counted(rest.length, 'more file')}</li>` : ''}</ul>`;
}

const MAX_FILES = 8;

const LINE_END = html`
`;

function stateCount(code: string, { state, count }: CauseGroup['states'][number]): Html {
  return html`<span class="chip bad"><data value="${count}" data-figure="cause" data-code="${code}" data-state="${state}">${numberText(count)}</data> ${state}</span> `;
}

export function causeId(index: number): string {
  return `cause-${index + 1}`;
}

function correctIn({ attentionFile, workbookFile }: PageFacts): Html {
  if (workbookFile !== null) {
    return html`: work on them in ${fileLink(workbookFile)}, and drop it into the source’s inbox`;
  }
  if (attentionFile === null) return html``;
  return html`: correct the rows in the attention file of each file below, and drop it into the source’s inbox`;
}
