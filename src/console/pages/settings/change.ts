import { planSettings, type SettingsPlan, saveSettings } from '../../../actions/setup/settings.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { type Html, html } from '../../../report/page/html.js';
import { deciderOf, hrefOf, type Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { statusOf } from '../../work/status-of.js';
import { type Page, type Shown, sectionOf } from '../page.js';
import { CHANGED_SINCE, formToken, hiddenFields, notice } from '../parts/fields.js';
import { problemText } from '../problem.js';

/** A part of registrar.yaml that operators change by a form. The page's address has the form's fields. */
export interface SettingsDoor {
  readonly path: string;
  /** Throws OperatorError where the address names nothing. */
  title(visit: Visit, desk: Desk): string;
  /** The fields, filled with what was entered, else with what registrar.yaml has. */
  fields(visit: Visit, desk: Desk): Html;
  edits(visit: Visit, desk: Desk): readonly YamlEdit[];
  /** The page that follows the change, once it is used; absent or null: the settings. */
  next?(visit: Visit, desk: Desk): Promise<string | null> | string;
  more?(visit: Visit, desk: Desk): Html;
}

/** The page with the form, and with what the entered fields would change; it saves what it has shown. */
export function settingsPageOf(door: SettingsDoor): Page {
  return {
    path: door.path,
    roles: ['operator'],
    async show(visit, desk) {
      return shown(door, visit, desk);
    },
    async submit(visit, sent, desk) {
      const planned = planSettings(desk.context(), door.edits(visit, desk));
      if (planned.lines.length === 0 || sent.one('seen') !== planned.seen)
        return { shown: { ...shown(door, visit, desk, CHANGED_SINCE), status: 409 } };
      const settings = await saved(visit, desk, planned);
      return { to: (await door.next?.(visit, desk)) ?? settings };
    },
  };
}

/** Saves a change, and has it used. @returns the address of the settings, which names the hosts of services that have to be reloaded. */
export async function saved(visit: Visit, desk: Desk, planned: Omit<SettingsPlan, 'seen'>): Promise<string> {
  const others = await saveSettings(desk.context(), planned, deciderOf(visit));
  await desk.reload();
  return hrefOf({ path: '/settings', query: { saved: others.join(' ') || 'yes' } });
}

function shown(door: SettingsDoor, visit: Visit, desk: Desk, said: string | null = null): Shown {
  const title = door.title(visit, desk);
  const { path, query } = visit.address;
  const found = Object.keys(query).length === 0 ? null : planned(door, visit, desk);
  return {
    title,
    section: '/settings',
    ...(found instanceof OperatorError ? { status: statusOf(found) } : {}),
    content: html`${notice(said)}
${found === null ? '' : found instanceof OperatorError ? problem(found) : preview(visit, found)}
${sectionOf('change', title)`<form method="get" action="${path}">${door.fields(visit, desk)}
<p class="buttons"><button${found === null ? '' : html` class="second-choice"`}>Show what would change</button> <a href="/settings">Cancel</a></p></form>`}
${door.more?.(visit, desk) ?? ''}`,
  };
}

function planned(door: SettingsDoor, visit: Visit, desk: Desk): SettingsPlan | OperatorError {
  try {
    return planSettings(desk.context(), door.edits(visit, desk));
  } catch (error) {
    if (error instanceof OperatorError && error.exit === 'usage') return error;
    throw error;
  }
}

/** Mistakes of a configuration are lines. */
function problem(error: OperatorError): Html {
  const [first = '', ...others] = problemText(error).split('\n');
  if (others.length === 0) return notice(first, 'bad');
  return html`<div class="notice bad" role="alert"><ul>${[first, ...others].map((line) => html`<li>${line}</li>`)}</ul></div>`;
}

function preview(visit: Visit, plan: SettingsPlan): Html {
  if (plan.lines.length === 0) return notice('Nothing would change.');
  // Fields without a text say that a setting goes: no link would carry them.
  const action = `${visit.address.path}?${new URLSearchParams(visit.address.query)}`;
  return sectionOf('preview', 'What would change in registrar.yaml')`${changeHtml(plan.lines)}
<form method="post" action="${action}">${formToken(visit)}${hiddenFields({ seen: plan.seen })}
<p class="buttons"><button>Save</button></p></form>`;
}

export function changeHtml(lines: SettingsPlan['lines']): Html {
  return html`<pre class="change" tabindex="0">${lines.map(({ kind, text }) =>
    kind === 'removed'
      ? html`<del>- ${text}</del>
`
      : kind === 'added'
        ? html`<ins>+ ${text}</ins>
`
        : html`  ${text}
`,
  )}</pre>`;
}
