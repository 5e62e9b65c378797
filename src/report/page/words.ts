import { agreeing } from '../../domain/text/count-of.js';
import { type Html, type HtmlValue, html } from './html.js';

/** A number as people read it: 1,234,567. */
export function numberText(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its noun: "1 row", "1,234 rows". */
export function counted(value: number, thing: string): string {
  return `${numberText(value)} ${agreeing(value, thing, `${thing}s`)}`;
}

/** A number of the report's model. Programs find it by the name of what it counts, and read its `value`. */
export function figure(name: string, value: number): Html {
  return html`<data value="${value}" data-figure="${name}">${numberText(value)}</data>`;
}

/** A figure with its noun, "13 rows", for large print: no line break comes between the two. */
export function wholeFigure(name: string, value: number, thing: string): Html {
  return html`${figure(name, value)}\u00a0${agreeing(value, thing, `${thing}s`)}`;
}

/** A link to a file in the page's own folder. */
export function fileLink(name: string, text: HtmlValue = name): Html {
  return html`<a class="file" href="${encodeURIComponent(name)}"><bdi>${text}</bdi></a>`;
}

/** The words that say where all of a shortened list is. */
export function inFull(otherFiles: readonly string[]): Html {
  return otherFiles.includes('report.json')
    ? html`see ${fileLink('report.json')}`
    : html`<code>registrar report --json</code> has all`;
}

/** An ISO time of the ledger to the second, with its zone, which is always UTC. */
export function timeText(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A table that may be wider than the screen. It scrolls in a named region of its own, which the keyboard can reach. */
export function scrollable(label: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}
