import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { closeDecision, openDecision } from './decision-log.js';
import { all, change, first, type Ledger, query, writing } from './query.js';

/** Settings of a source that feed its keys, by name; '' for one that isn't set, so that rows in need of it have no key. */
export type KeySettings = Readonly<Record<string, string>>;

/** A setting that is not what it was when the source's rows got their keys. */
export interface ChangedSetting {
  readonly name: string;
  readonly was: string;
  readonly is: string;
}

/**
 * Compares a source's settings with those its keys were made under; the first time they are pinned as they are.
 * Empty: nothing has changed.
 */
export function changedSettings(ledger: Ledger, source: string, settings: KeySettings): ChangedSetting[] {
  const differing = differingSettings(ledger, source, settings);
  const changed = differing.filter(({ was }) => was !== '');
  if (differing.length > 0 && changed.length === 0)
    writing(ledger, () => pin(ledger, source, settings, null));
  return changed;
}

/** The same of a ledger that may not be written: what is not pinned yet stays so. */
export function readChangedSettings(ledger: Ledger, source: string, settings: KeySettings): ChangedSetting[] {
  return differingSettings(ledger, source, settings).filter(({ was }) => was !== '');
}

/** `was` is '' for a setting that is not pinned yet. */
function differingSettings(ledger: Ledger, source: string, settings: KeySettings): ChangedSetting[] {
  const pinned = all(
    ledger,
    query.selectFrom('pinned_setting').select(['name', 'value']).where('source', '=', source),
  );
  return Object.entries(settings).flatMap(([name, is]) => {
    const known = pinned.find((one) => one.name === name);
    const was = known?.value ?? '';
    return was === is ? [] : [{ name, was, is }];
  });
}

/**
 * Records that a person knows what the change means, and pins the settings as they are now.
 * @param because null: nobody was asked why.
 */
export function confirmSettings(
  ledger: Ledger,
  source: string,
  settings: KeySettings,
  who: Decider,
  because: string | null = null,
): void {
  writing(ledger, () => {
    const decisionId = openDecision(ledger, {
      kind: 'confirm',
      who,
      because,
      selection: { source, settings },
    });
    pin(ledger, source, settings, decisionId);
    closeDecision(ledger, decisionId);
  });
}

/** What a setting of a source is pinned as; '' where it isn't. */
export function pinnedSetting(ledger: Ledger, source: string, name: string): string {
  const pinned = first(
    ledger,
    query.selectFrom('pinned_setting').select('value').where('source', '=', source).where('name', '=', name),
  );
  return pinned?.value ?? '';
}

/** Pins a setting as a drop is read by it, unless it is pinned already. */
export function pinSetting(ledger: Ledger, source: string, name: string, value: string): void {
  if (pinnedSetting(ledger, source, name) !== '') return;
  const pinned = { value, pinned_at: isoFromMs(ledger.clock.nowMs()), decision_id: null };
  writing(ledger, () =>
    change(
      ledger,
      query
        .insertInto('pinned_setting')
        .values({ source, name, ...pinned })
        .onConflict((conflict) => conflict.columns(['source', 'name']).doUpdateSet(pinned)),
    ),
  );
}

/** How many submissions a source has: so many could become new under other settings. */
export function countKeyed(ledger: Ledger, source: string): number {
  const counted = first(
    ledger,
    query
      .selectFrom('drop')
      .select(sql<number>`coalesce(sum(staged + amended), 0)`.as('count'))
      .where('source', '=', source)
      .where('state', '=', 'published'),
  );
  return counted?.count ?? 0;
}

function pin(ledger: Ledger, source: string, settings: KeySettings, decisionId: number | null): void {
  change(ledger, query.deleteFrom('pinned_setting').where('source', '=', source));
  for (const [name, value] of Object.entries(settings)) {
    change(
      ledger,
      query.insertInto('pinned_setting').values({
        source,
        name,
        value,
        pinned_at: isoFromMs(ledger.clock.nowMs()),
        decision_id: decisionId,
      }),
    );
  }
}
