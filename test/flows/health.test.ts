import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import {
  FURTHER_SITUATIONS,
  isFound,
  isShown,
  opened,
  SITUATIONS,
  sevenPlaces,
} from '../support/unhealthy.js';
import { testWorkspace } from '../support/workspace.js';

describe.each(SITUATIONS)('$what', (situation) => {
  it('is shown in all seven places', { timeout: 120_000 }, () => isShown(situation));
});

// The longer suite looks for them in all seven places.
it.each(FURTHER_SITUATIONS)('$what is found', { timeout: 120_000 }, isFound);

it('a workspace in which nothing is wrong is healthy in all seven places', async () => {
  const workspace = await testWorkspace({ alerts: { channels: [{ name: 'log', file: 'alerts.jsonl' }] } });
  const context = await opened(workspace);
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.cli('run');
  const places = await sevenPlaces(workspace, context);
  expect(places.status.stdout).toContain('Nothing needs attention.');
  expect([places.healthcheck.code, JSON.parse(places.healthcheck.stdout).state]).toEqual([0, 'healthy']);
  expect(JSON.parse(places.ready.text)).toMatchObject({ ready: true, state: 'healthy', findings: [] });
  expect(places.metrics.text).not.toMatch(/registrar_health\{[^}]*\} [12]/);
  expect(places.notified.open).toEqual([]);
  expect(places.doctor.stdout).toContain('healthy');
  expect(places.console.text).toContain('All rows were delivered. Nothing needs attention.');
  rmSync(join(workspace.root, 'alerts.jsonl'), { force: true });
});
