import { type Setting, shownSettings } from '../../report/shown-settings.js';
import type { ActionContext } from '../context.js';

/** The settings as they were read, in the order of registrar.yaml's keys; secrets are never among them. */
export function browseSettings({ config }: Pick<ActionContext, 'config'>): Setting[] {
  return shownSettings(config);
}
