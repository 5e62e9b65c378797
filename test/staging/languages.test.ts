import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSample } from '../../src/actions/setup/read-sample.js';
import { systemClock } from '../../src/domain/clock.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { testLedger } from '../support/staged-ledger.js';
import { checkContent, sourceOf } from './staging-bench.js';

const UTC = { timeZone: 'UTC', dateOrder: undefined };
const USER = { ...UTC, defaults: { 'user-identifier-type': 'UserId' } };

/** The outcome of rows in exports as learning systems and personnel departments write them, without a column named. */
const EXPORTS: Readonly<Record<string, readonly [Record<string, unknown>, Record<string, number>]>> = {
  'en-academy': [UTC, { staged: 2, skipped: 2, 'non-data': 3, blank: 1 }],
  'en-personnel': [UTC, { staged: 1, skipped: 2, 'non-data': 1 }],
  'en-lms': [UTC, { staged: 2, skipped: 1, 'non-data': 1 }],
  'de-akademie': [UTC, { staged: 2, skipped: 1, 'non-data': 3 }],
  'de-personal': [UTC, { staged: 2, skipped: 1, 'non-data': 1 }],
  'de-lernplattform': [USER, { staged: 2, skipped: 1, 'non-data': 1 }],
  'fr-formation': [UTC, { staged: 2, skipped: 1, 'non-data': 2 }],
  'fr-rh': [UTC, { staged: 2, skipped: 1, 'non-data': 1 }],
  'fr-plateforme': [USER, { staged: 2, skipped: 1, 'non-data': 1 }],
  'es-formacion': [UTC, { staged: 2, skipped: 1, 'non-data': 2 }],
  'es-personal': [UTC, { staged: 2, skipped: 1, 'non-data': 1 }],
  'es-plataforma': [USER, { staged: 2, skipped: 1, 'non-data': 1 }],
};

const fileOf = (name: string) => new URL(`languages/${name}.csv`, import.meta.url);

describe.each(Object.entries(EXPORTS))('%s', (name, [settings, dispositions]) => {
  test('is read to the end without an issue that a person must decide', async () => {
    const ledger = testLedger(systemClock());
    const checked = await checkContent(ledger, readFileSync(fileOf(name)), null, sourceOf(settings));
    const found = Object.fromEntries(Object.entries(checked.dispositions).filter(([, count]) => count > 0));
    expect(found).toEqual(dispositions);
  });

  test('is proposed by init with learner, content, time, title and status', async () => {
    const { findings } = await readSample(fileOf(name).pathname, submitCompletion);
    expect(findings.columns.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['user-id', 'content-id', 'completed-at', 'status', 'content-title']),
    );
  });
});
