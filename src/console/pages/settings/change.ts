import { planSettings, type SettingsPlan, saveSettings } from '../../../actions/setup/settings.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { type Html, html } from '../../../report/page/html.js';
import { deciderOf, hrefOf, type Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { statusOf } from '../../work/status-of.js';
import { type Page, type Shown, sectionOf } from '../page.js';
import { CHANGED_SINCE, formToken, hiddenFields, notice } from '../parts/fields.js';
import { problemText } from '../problem.js';

/** A part of registrar.yaml that operators change by a form. The page's address has the form's fields. */
export interface SettingsDoor {
  readonly path: string;
  /** Throws OperatorError where the address names nothing. */
  title(visit: Visit, context: ConsoleContext): string;
  /** The fields, filled with what was entered, else with what registrar.yaml has. */
  fields(visit: Visit, context: ConsoleContext): Html;
  edits(visit: Visit, context: ConsoleContext): readonly YamlEdit[];
  /** The page that follows the change, once it is used; absent or null: the settings. */
  next?(visit: Visit, context: ConsoleContext): Promise<string | null> | string;
  more?(visit: Visit, context: ConsoleContext): Html;
}

/** The page with the form, and with what the entered fields would change; it saves what it has shown. */
export function settingsPageOf(door: SettingsDoor): Page {
  return {
    path: door.path,
    roles: ['operator'],
    async show(visit, context) {
      return shown(door, visit, context);
    },
    async submit(visit, sent, context) {
      const planned = planSettings(context.actionContext(), door.edits(visit, context));
      if (planned.lines.length === 0 || sent.one('seen') !== planned.seen)
        return { shown: { ...shown(door, visit, context, CHANGED_SINCE), status: 409 } };
      const settings = await saved(visit, context, planned);
      return { to: (await door.next?.(visit, context)) ?? settings };
    },
  };
}

/** Saves a change, and has it used. @returns the address of the settings, which names the hosts of services that have to be reloaded. */
export async function saved(
  visit: Visit,
  context: ConsoleContext,
  planned: Omit<SettingsPlan, 'seen'>,
): Promise<string> {
  const others = await saveSettings(context.actionContext(), planned, deciderOf(visit));
  await context.reload();
  return hrefOf({ path: '/settings', query: { saved: others.join(' ') || 'yes' } });
}

function shown(door: SettingsDoor, visit: Visit, context: ConsoleContext, said: string | null = null): Shown {
  const title = door.title(visit, context);
  const { path, query } = visit.address;
  const found = Object.keys(query).length === 0 ? null : planned(door, visit, context);
  return {
    title,
    section: '/settings',
    ...(found instanceof OperatorError ? { status: statusOf(found) } : {}),
    content: html`${notice(said)}
${found === null ? '' : found instanceof OperatorError ? mistakes(problemText(found)) : preview(visit, found)}
${sectionOf('change', title)`<form method="get" action="${path}">${door.fields(visit, context)}
<p class="buttons"><button${found === null ? '' : html` class="second-choice"`}>Show what would change</button> <a href="/settings">Cancel</a></p></form>`}
${door.more?.(visit, context) ?? ''}`,
  };
}

function planned(door: SettingsDoor, visit: Visit, context: ConsoleContext): SettingsPlan | OperatorError {
  try {
    return planSettings(context.actionContext(), door.edits(visit, context));
  } catch (error) {
    if (error instanceof OperatorError && error.exit === 'usage') return error;
    throw error;
  }
}

/** Mistakes of a configuration are lines. */
export function mistakes(text: string): Html {
  const lines = text.split('\n');
  if (lines.length === 1) return notice(text, 'bad');
  return html`<div class="notice bad" role="alert"><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`;
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
