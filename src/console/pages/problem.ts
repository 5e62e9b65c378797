import type { Role } from '../../domain/access/role.js';
import { OperatorError } from '../../domain/operator-error.js';
import { html } from '../../report/page/html.js';
import { statusOf } from '../work/status-of.js';
import type { Shown } from './page.js';

/** The page for something that failed: in full what a person can solve, and of a bug only that it is one. */
export function problemOf(error: unknown): Shown {
  if (error instanceof OperatorError) {
    return {
      title: 'This can’t be done',
      status: statusOf(error),
      content: html`<p class="second">${problemText(error)}</p>
<p class="note">Nothing was changed. <a href="/">Overview</a></p>`,
    };
  }
  return {
    title: 'Something went wrong',
    status: 500,
    content: html`<p class="second">This is a bug in Registrar, and the log has the details. Nothing was half done.</p>
<p class="note"><a href="/">Overview</a></p>`,
  };
}

export function problemText({ message, hint }: OperatorError): string {
  return hint === '' ? sentence(message) : `${sentence(message)} ${hint}`;
}

export function noSuchPage(): Shown {
  return {
    title: 'Page not found',
    status: 404,
    content: html`<p class="second">The address is wrong, or the page is gone. <a href="/">Go to the overview</a>.</p>`,
  };
}

export function notForRole(roles: readonly Role[] = []): Shown {
  const who = roles.map((role) => (role === 'viewer' ? 'viewers' : `${role}s`)).join(' and ');
  return {
    title: 'You don’t have access to this',
    status: 403,
    content: html`<p class="second">This is for ${who}. Ask the administrator of this console for a role: registrar.yaml assigns them.</p>`,
  };
}

/** The page for a person whom a proxy names and who has no access by registrar.yaml. @param why plain sentences. */
export function notLetIn(why: string): Shown {
  return { title: 'Sign-in refused', status: 403, content: html`<p class="second">${why}</p>` };
}

/** The page for a form that this server has not made for this browser, or has made too long ago. */
export function outOfDate(): Shown {
  return {
    title: 'The form is out of date',
    status: 403,
    content: html`<p class="second">It was loaded before you signed in, or didn’t come from this console. Nothing was changed. Go back, reload the page and send the form again.</p>`,
  };
}

/** The page for a form that was not read to its end. */
export function unreadForm(why: 'too-large' | 'too-slow'): Shown {
  return {
    title: why === 'too-large' ? 'The form is too large' : 'The form arrived too slowly',
    status: why === 'too-large' ? 413 : 408,
    content: html`<p class="second">Nothing was changed. ${
      why === 'too-large' ? 'Choose fewer rows, or all of a selection at once.' : 'Send it again.'
    }</p>`,
  };
}

/** A text as a sentence: with a capital letter and a full stop. */
export function sentence(text: string): string {
  // The name of a file or a setting is written as it is.
  const begun = /^\S*[a-z]\.[a-z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
