import type { Role } from '../../domain/access/role.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Html, html } from '../../report/page/html.js';
import { sentence } from '../../report/text/sentence.js';
import { statusOf } from '../work/status-of.js';
import type { PageView } from './page.js';

/** Shows an OperatorError in full; of a bug, only that it happened. */
export function problemOf(error: unknown): PageView {
  if (error instanceof OperatorError) {
    const done = html`<p class="note">Nothing was changed. <a href="/">Overview</a></p>`;
    return problem(statusOf(error), 'This can’t be done', html`${problemText(error)}`, done);
  }
  const text = html`This is a bug in Registrar, and the log has the details. Nothing was half done.`;
  return problem(500, 'Something went wrong', text, html`<p class="note"><a href="/">Overview</a></p>`);
}

function problem<Status extends PageView['status']>(
  status: Status,
  title: string,
  text: Html,
  more = html``,
) {
  return { title, status, content: html`<p class="second">${text}</p>${more}` };
}

export function problemText({ message, hint }: OperatorError): string {
  return hint === '' ? sentence(message) : `${sentence(message)} ${hint}`;
}

/** The error for a page that keeps the input. Rethrows bugs and outages. */
export function expectedRefusal(error: unknown): OperatorError {
  if (error instanceof OperatorError && (error.exit === 'usage' || error.exit === 'attention')) return error;
  throw error;
}

export function pageNotFound(): PageView {
  const text = html`The address is wrong, or the page is gone. <a href="/">Go to the overview</a>.`;
  return problem(404, 'Page not found', text);
}

export function accessDenied(roles: readonly Role[] = []): PageView {
  const who = roles.map((role) => (role === 'viewer' ? 'viewers' : `${role}s`)).join(' and ');
  const text = html`This is for ${who}. Ask the administrator of this console for a role: registrar.yaml assigns them.`;
  return problem(403, 'You don’t have access to this', text);
}

/** For a user named by a proxy whom registrar.yaml gives no role. */
export function signInRefused(why: string): PageView {
  return problem(403, 'Sign-in refused', html`${why}`);
}

/** For a form without the token of this browser's session. */
export function formOutOfDate(): PageView {
  const text = html`It was loaded before you signed in, or didn’t come from this console. Nothing was changed. Go back, reload the page and send the form again.`;
  return problem(403, 'The form is out of date', text);
}
