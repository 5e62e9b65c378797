import { type Html, html } from '../../report/page/html.js';
import type { Shown } from './page.js';
import { formToken, hiddenFields } from './parts/form-parts.js';

/** What a page to log in offers. */
export interface LogInOffer {
  /** True where people have passwords. */
  readonly hasUsers: boolean;
  /** What stands on the button of the provider; null: there is none. */
  readonly provider: string | null;
  /** True where a server in front says who asks. */
  readonly hasProxy: boolean;
  readonly formToken: string;
  /** Where to go on. */
  readonly to: string;
  /** What went wrong; null: nothing yet. */
  readonly said: string | null;
  /** The name that was given; '' where none was. */
  readonly name: string;
  readonly status?: 401 | 403 | 429 | 503;
}

/** The page where people log in. */
export function logInPage({
  hasUsers,
  provider,
  hasProxy,
  to,
  said,
  name,
  status,
  ...offer
}: LogInOffer): Shown {
  const content = html`${said === null ? '' : html`<p class="told bad" role="alert">${said}</p>`}
${hasUsers ? passwordForm(offer, to, name, said !== null) : ''}
${
  provider === null
    ? ''
    : html`<p class="buttons"><a class="button${hasUsers ? ' second-choice' : ''}" href="/log-in/provider?${new URLSearchParams({ to }).toString()}">${provider}</a></p>`
}
${hasUsers || provider !== null ? '' : html`<p class="second">${hasProxy ? 'The proxy in front of this console hasn’t said who you are. Reach it by its own address.' : NOBODY}</p>`}`;
  return {
    title: 'Log in',
    content: html`<section>${content}</section>`,
    ...(status === undefined ? {} : { status }),
  };
}

const NOBODY = html`Nobody logs in here, for registrar.yaml names nobody: on its own machine <a href="/">the console</a> is open, from elsewhere nobody comes in.`;

function passwordForm(
  offer: Pick<LogInOffer, 'formToken'>,
  to: string,
  name: string,
  isWrong: boolean,
): Html {
  const wrong = isWrong ? html` aria-invalid="true"` : '';
  return html`<form method="post" action="/log-in">${formToken(offer)}${hiddenFields({ to })}
<p class="field"><label for="name">Name</label>
<input id="name" name="name" type="text" required maxlength="200" autocomplete="username" autocapitalize="none" spellcheck="false" value="${name}"${wrong}></p>
<p class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="current-password"${wrong}></p>
<p class="buttons"><button>Log in</button></p></form>`;
}
