import type { Role } from '../../domain/access/role.js';
import { OperatorError } from '../../domain/operator-error.js';
import { html } from '../../report/page/html.js';
import type { Shown } from './page.js';

/** The page for something that failed: in full what a person can mend, and of a bug only that it is one. */
export function problemOf(error: unknown): Shown {
  if (error instanceof OperatorError) {
    return {
      title: 'This can’t be done',
      status: error.exit === 'io' || error.exit === 'unavailable' ? 503 : 409,
      content: html`<p class="second">${problemText(error)}</p>
<p class="note">Nothing was changed. <a href="/">Overview</a></p>`,
    };
  }
  return {
    title: 'This broke',
    status: 500,
    content: html`<p class="second">It is a fault of the program, not yours; the log says what it was. Nothing is half done.</p>
<p class="note"><a href="/">Overview</a></p>`,
  };
}

/** What failed and what to do about it, in sentences. */
export function problemText({ message, hint }: OperatorError): string {
  return hint === '' ? sentence(message) : `${sentence(message)} ${hint}`;
}

/** The page for an address that names nothing. */
export function noSuchPage(): Shown {
  return {
    title: 'There is no such page',
    status: 404,
    content: html`<p class="second">The address is wrong, or what it named is gone. <a href="/">The overview</a> leads to all that there is.</p>`,
  };
}

/** The page for somebody who may not see or do something. */
export function notForRole(roles: readonly Role[] = []): Shown {
  const who = roles.map((role) => (role === 'viewer' ? 'viewers' : `${role}s`)).join(' and ');
  return {
    title: 'This is not for you to see or do',
    status: 403,
    content: html`<p class="second">It is for ${who}. Whoever runs this console gives roles in registrar.yaml.</p>`,
  };
}

/** The page for somebody whom a proxy names and registrar.yaml doesn't let in. @param why plain sentences. */
export function notLetIn(why: string): Shown {
  return { title: 'You are not let in', status: 403, content: html`<p class="second">${why}</p>` };
}

/** The page for a form that this server has not made for this browser, or has made too long ago. */
export function outOfDate(): Shown {
  return {
    title: 'The form is out of date',
    status: 403,
    content: html`<p class="second">It was made before you logged in, or not by this console. Nothing was changed. Go back, load the page again, and send it again.</p>`,
  };
}

/** The page for a form that was not read to its end. */
export function unreadForm(why: 'too-large' | 'too-slow'): Shown {
  return {
    title: why === 'too-large' ? 'The form is too large' : 'The form came too slowly',
    status: why === 'too-large' ? 413 : 408,
    content: html`<p class="second">Nothing was changed. ${
      why === 'too-large' ? 'Choose fewer rows, or all of a selection at once.' : 'Send it again.'
    }</p>`,
  };
}

function sentence(text: string): string {
  // The name of a file or a setting is written as it is.
  const begun = /^\S*[a-z]\.[a-z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
