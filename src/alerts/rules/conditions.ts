import type { AlertsConfig } from '../../config/schema/alerts-schema.js';
import type { Condition } from '../../domain/alerts/alert.js';
import type { Health, HealthFinding } from '../../domain/health/health.js';
import type { PresentState } from '../../ledger/books/state/read-state.js';

export interface AlertSituation {
  readonly settings: Pick<AlertsConfig, 'attentionShare'>;
  readonly health: Pick<Health, 'findings' | 'unknown'>;
  readonly watched: Pick<PresentState, 'sourceCauses' | 'shares'>;
}

/** With fewer rows a share says little. */
const MIN_ROWS_OF_SHARE = 20;

/** Every finding of health, and unusual rows. `unknown`: what can't be known now; alerts about it stay as they are. */
export function conditionsIn(situation: AlertSituation) {
  const { watched, health } = situation;
  return {
    conditions: [
      ...watched.sourceCauses.map(
        ({ source, code, rows, state, cause }): Condition => ({
          kind: 'cause',
          subject: source,
          code,
          facts: { rows, state, cause },
        }),
      ),
      ...sharesOf(situation),
      ...health.findings.map(findingCondition),
    ],
    unknown: health.unknown.map(({ part, subject }) => ({ kind: part, subject })),
  };
}

function findingCondition(finding: HealthFinding): Condition {
  const { part, subject, code, state, since, lastGoodAt, message, remedy } = finding;
  return { kind: part, subject, code, facts: { state, since, lastGoodAt, message, remedy } };
}

function sharesOf({ watched, settings }: AlertSituation): Condition[] {
  return watched.shares.flatMap(({ source, rows, attention }) => {
    if (rows < MIN_ROWS_OF_SHARE || attention * 100 <= settings.attentionShare * rows) return [];
    const percent = Math.round((attention / rows) * 100);
    return [{ kind: 'share', subject: source, code: '', facts: { rows, attention, percent } }];
  });
}
