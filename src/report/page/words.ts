import { agreeing } from '../../domain/text/count-of.js';
import type { Counts, RichText } from '../sections/section.js';
import { numberText } from '../text/counted.js';
import { type Html, type HtmlValue, html } from './html.js';

/** Words of a section as markup. Programs find a number by the name of what it counts, and read its `value`. */
export function richTextHtml(part: RichText | Counts): Html {
  if (typeof part === 'string') return html`${part}`;
  if (typeof part === 'number') return html`${numberText(part)}`;
  if ('counts' in part) return countsHtml(part);
  if ('kind' in part) {
    const { kind, text } = part;
    if (kind === 'time') return timeText(text);
    if (kind === 'row')
      return html`<a href="/rows/${encodeURIComponent(text)}">${text.includes(':') ? text : `#${text}`}</a>`;
    return kind === 'code' ? html`<code>${text}</code>` : html`<bdi>${text}</bdi>`;
  }
  if (!('figure' in part)) return html`${part.map(richTextHtml)}`;
  const { figure: name, value, noun, word } = part;
  const number = html`<data value="${value}" data-figure="${name}">${word ?? numberText(value)}</data>`;
  // No line break comes between the two.
  return noun === undefined ? number : html`${number}\u00a0${agreeing(value, noun, `${noun}s`)}`;
}

/** In a line that wraps: a table with a column for each would hide some on most screens. @param hrefTo where a name leads; null: nowhere. */
export function countsHtml(
  { of, counts }: Counts,
  hrefTo: (name: string) => string | null = () => null,
): Html {
  if (counts.length === 0) return html`<span class="absent">none</span>`;
  return html`<span class="counts">${counts.map(([name, value]) => {
    if (typeof value !== 'number' || of === '') return html`<span>${name} <b>${value}</b></span> `;
    const text = html`<data value="${value}" data-of-file="${of}.${name}">${numberText(value)}</data> ${name}`;
    return html`<span>${linkTo(hrefTo(name), text)}</span> `;
  })}</span>`;
}

/** @param href null: the text leads nowhere. */
export function linkTo(href: string | null, text: HtmlValue): Html {
  return href === null ? html`${text}` : html`<a href="${href}">${text}</a>`;
}

export function chip(tone: string, words: string): Html {
  return html`<span class="chip ${tone}">${words}</span>`;
}

export function figure(name: string, value: number): Html {
  return richTextHtml({ figure: name, value });
}

export function fileLink(name: string, text: HtmlValue = name): Html {
  return html`<a class="file" href="${encodeURIComponent(name)}"><bdi>${text}</bdi></a>`;
}

/** Where to find the whole of a shortened list. */
export function inFull(otherFiles: readonly string[]): Html {
  return otherFiles.includes('report.json')
    ? html`see ${fileLink('report.json')}`
    : html`<code>registrar report --json</code> has all`;
}

/** An ISO time to the second, in UTC. @param isExact true: the console doesn't show it as how long ago it is. */
export function timeText(iso: string, isExact = false): Html {
  return html`<time datetime="${iso}"${isExact ? html` data-exact` : ''}>${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A table that may be wider than the screen. It scrolls in a region of its own, named by the label, which the keyboard can reach. */
export function tableFrame(
  label: string,
  look: string,
  caption: string,
  head: HtmlValue,
  body: HtmlValue,
): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${look}"><caption><span>${caption}</span></caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}
