import { type Html, html } from '../../report/page/html.js';
import type { Shown } from './page.js';
import { formToken, hiddenFields, notice } from './parts/fields.js';

export interface LogInOffer {
  readonly hasUsers: boolean;
  readonly provider: string | null;
  /** True where a server in front authenticates people. */
  readonly hasProxy: boolean;
  readonly formToken: string;
  readonly to: string;
  /** What went wrong; null: nothing yet. */
  readonly said: string | null;
  /** The name that was given; '' where none was. */
  readonly name: string;
  readonly status?: Shown['status'];
}

export function logInPage(offer: LogInOffer): Shown {
  const { hasUsers, provider, hasProxy, to, said, status } = offer;
  const content = html`${notice(said, 'bad')}
${hasUsers ? passwordForm(offer) : ''}
${
  provider === null
    ? ''
    : html`<p class="buttons"><a class="button${hasUsers ? ' second-choice' : ''}" href="/log-in/provider?${new URLSearchParams({ to }).toString()}">${provider}</a></p>`
}
${hasUsers || provider !== null ? '' : html`<p class="second">${hasProxy ? 'The proxy didn’t say who you are. Open the console at the proxy’s address.' : NOBODY}</p>`}`;
  return {
    title: 'Sign in',
    content: html`<section>${content}</section>`,
    ...(status === undefined ? {} : { status }),
  };
}

const NOBODY = html`No users yet: registrar.yaml names none. On its own machine <a href="/">the console</a> is open; from elsewhere there is no access.`;

function passwordForm({ to, name, said, ...offer }: LogInOffer): Html {
  const isWrong = said !== null;
  const wrong = isWrong ? html` aria-invalid="true"` : '';
  return html`<form method="post" action="/log-in">${formToken(offer)}${hiddenFields({ to })}
<p class="field"><label for="name">Name</label>
<input id="name" name="name" type="text" required maxlength="200" autocomplete="username" autocapitalize="none" spellcheck="false" value="${name}"${wrong}${isWrong ? '' : html` autofocus`}></p>
<p class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="current-password"${wrong}${isWrong ? html` autofocus` : ''}></p>
<p class="buttons"><button>Sign in</button></p></form>`;
}
