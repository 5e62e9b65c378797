import type { Visitor } from '../../support/console.js';
import { PERSONAL } from './marked-words.js';

/** The addresses that a page leads to, by links and by forms that ask; a place of a page is no address of its own. */
export function linksIn(markup: string): string[] {
  return [...markup.matchAll(/(?:href|action|formaction|src|data-live|data-try)="([^"]*)"/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&').replace(/#.*/, ''))
    .filter((address) => address.startsWith('/') && !address.startsWith('//'));
}

/** Whether an answer is a page. */
export function hasPage(answer: Response): boolean {
  return answer.headers.get('content-type')?.startsWith('text/html') === true;
}

/**
 * What is shown to a viewer who visits these addresses.
 * @param follows whether to go on to where their pages lead.
 * @returns the leaks and wrong times that were found, and all that was visited.
 */
export async function shownTo(viewer: Visitor, begin: readonly string[], follows: boolean) {
  const found: string[] = [];
  const seen = new Set<string>();
  const waiting = [...begin];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await viewer.get(path);
    const body = await answer.text();
    const head = JSON.stringify([...answer.headers]);
    // What the viewer has written into the address comes back in it.
    const own = decodeURIComponent(path.replaceAll('+', ' '));
    const output = PERSONAL.test(own) ? '' : `${head} ${body}`;
    const [leak] = PERSONAL.exec(output) ?? [];
    if (leak !== undefined) {
      const at = output.search(PERSONAL);
      found.push(`${path}: …${output.slice(Math.max(0, at - 80), at + 40)}…`);
    }
    // The script of the pages shows each of them by the reader's clock.
    for (const [time, iso = ''] of body.matchAll(/<time datetime="([^"]*)"/g))
      if (Number.isNaN(Date.parse(iso))) found.push(`${path}: ${time}`);
    if (follows && hasPage(answer)) waiting.push(...linksIn(body));
  }
  return { found, seen };
}
