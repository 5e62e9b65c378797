import { planSettings, type SettingsPlan, saveSettings } from '../../../actions/setup/settings.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { type Html, html } from '../../../report/page/html.js';
import { statusOf } from '../../work/status-of.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import { type Page, type PageView, sectionOf } from '../page.js';
import { CHANGED_SINCE, checkboxField, formToken, hiddenFields, notice } from '../parts/fields.js';
import { expectedRefusal, problemText } from '../problem.js';
import {
  type Place,
  readConfigFile,
  type SettingField,
  settingEdits,
  settingField,
} from './setting-fields.js';

/** A part of registrar.yaml as a form, whose fields the page's address has. */
export interface SettingsForm {
  readonly title: string;
  readonly at: Place;
  /** The settings that its fields change, but for the ends of their names: `sources[]`. */
  readonly settings: string;
  readonly groups: readonly {
    readonly heading?: string;
    readonly note?: string;
    readonly fields: readonly SettingField[];
  }[];
  /** What the address keeps beside the fields. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly isRemovable?: boolean;
  readonly below?: Html;
}

/**
 * The page with the form, and with what the entered fields would change; it saves what it has shown.
 * @param formOf throws OperatorError where the address names nothing. @param next the page that follows the change; null: the settings.
 */
export function settingsPageOf(
  path: string,
  formOf: (visit: Visit) => SettingsForm,
  next: (visit: Visit) => Promise<string | null> = async () => null,
): Page {
  const shown = (visit: Visit, message: string | null): PageView => {
    const form = formOf(visit);
    const { title, groups, kept = {}, isRemovable = false, below = '' } = form;
    const { query } = visit.address;
    const file = readConfigFile(visit);
    const isEntered =
      query.remove !== undefined || groups.some(({ fields }) => fields.some(({ name }) => name in query));
    const plan = isEntered ? planned(form, visit) : null;
    return {
      title,
      section: '/settings',
      ...(plan instanceof OperatorError ? { status: statusOf(plan) } : {}),
      content: html`${notice(message)}
${plan === null ? '' : plan instanceof OperatorError ? mistakes(problemText(plan)) : preview(visit, plan)}
${sectionOf('change', title)`<form method="get" action="${visit.address.path}">${hiddenFields(kept)}
${groups.map(({ heading, note, fields }) => {
  const shownFields = fields.map((field) => settingField(visit, file, form, field));
  return html`${heading === undefined ? shownFields : html`<h3>${heading}</h3><div class="fields">${shownFields}</div>`}${note === undefined ? '' : html`<p class="note">${note}</p>`}`;
})}
${isRemovable ? checkboxField({ name: 'remove', label: 'Remove', value: query.remove ?? '' }, [{ value: 'remove', label: 'all of it' }]) : ''}
<p class="buttons"><button${plan === null ? '' : html` class="second-choice"`}>Show what would change</button> <a href="/settings">Cancel</a></p></form>`}
${below}`,
    };
  };
  return {
    path,
    roles: ['operator'],
    async show(visit) {
      return shown(visit, null);
    },
    async submit(visit, sent) {
      const plan = planSettings(visit.actionContext(), editsOf(formOf(visit), visit));
      if (plan.lines.length === 0 || sent.one('fingerprint') !== plan.fingerprint)
        return { page: { ...shown(visit, CHANGED_SINCE), status: 409 } };
      const settings = await saved(visit, plan);
      return { to: (await next(visit)) ?? settings };
    },
  };
}

/** Saves a change, and has it used. @returns the address of the settings, which names the hosts of services that have to be reloaded. */
export async function saved(visit: Visit, plan: Omit<SettingsPlan, 'fingerprint'>): Promise<string> {
  const others = await saveSettings(visit.actionContext(), plan, deciderOf(visit));
  await visit.reload();
  return hrefOf({ path: '/settings', query: { saved: others.join(' ') || 'yes' } });
}

function editsOf({ at, groups }: SettingsForm, visit: Visit) {
  if (visit.address.query.remove === 'remove') return [{ path: at, value: undefined }];
  const file = readConfigFile(visit);
  return groups.flatMap(({ fields }) => fields.flatMap((field) => settingEdits(visit, file, at, field)));
}

function planned(form: SettingsForm, visit: Visit): SettingsPlan | OperatorError {
  try {
    return planSettings(visit.actionContext(), editsOf(form, visit));
  } catch (error) {
    return expectedRefusal(error);
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
<form method="post" action="${action}">${formToken(visit)}${hiddenFields({ fingerprint: plan.fingerprint })}
<p class="buttons"><button>Save</button></p></form>`;
}

export function changeHtml(lines: SettingsPlan['lines']): Html {
  return html`<pre class="change" tabindex="0">${lines.map(({ kind, text }) =>
    kind === 'removed'
      ? html`<del>- ${text}</del>\n`
      : kind === 'added'
        ? html`<ins>+ ${text}</ins>\n`
        : html`  ${text}\n`,
  )}</pre>`;
}
