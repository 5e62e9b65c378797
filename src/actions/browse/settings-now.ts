import { type SettingsPart, shownSettings } from '../../config/shown-settings.js';
import { type LedgerVersions, ledgerVersions } from '../../ledger/store/ledger-facts.js';
import { VERSION } from '../../version.js';
import type { ActionContext } from '../context.js';

/** The settings as they were read, and what reads them. */
export interface SettingsNow {
  readonly parts: readonly SettingsPart[];
  readonly versions: LedgerVersions & { readonly registrar: string; readonly node: string };
}

/** Reads the settings. No secret is among them; masked, no name of people and groups either. */
export async function settingsNow(
  { ledger, config }: ActionContext,
  { isMasked }: { readonly isMasked: boolean },
): Promise<SettingsNow> {
  return {
    parts: shownSettings(config, isMasked),
    versions: { registrar: VERSION, node: process.versions.node, ...(await ledgerVersions(ledger)) },
  };
}
