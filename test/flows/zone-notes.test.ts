import { expect, test } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

const NOTE = 'Times are shown in US/Pacific';
const CONTENT = `${csvOf([...exportRows(100), exportRow(100, { email: 'nobody' })])}\n${NOTE}\n`;

test('check, inspect, trace and a correction name the note below the rows that says in which zone times are', async () => {
  const workspace = await testWorkspace({ sources: { academy: { timeZone: 'America/Los_Angeles' } } });
  const path = workspace.drop('noted.csv', CONTENT);
  const named = `Zone of times, by line 104: ${NOTE}\n`;
  const checked = await workspace.cli('check', path, '--source', 'academy');
  expect(checked.stdout).toContain(named);
  const inspected = await workspace.cli('inspect', path);
  expect(inspected.stdout).toContain(named.replace('Zone', 'zone'));
  const { zoneNotes } = JSON.parse((await workspace.cli('inspect', path, '--json')).stdout);
  expect(zoneNotes).toEqual([{ line: 104, zone: 'US/Pacific', text: NOTE }]);

  const run = await workspace.cli('run', '--no-push');
  expect(run.stdout).toContain('zone of the times by line 104 (US/Pacific)');
  const report = JSON.parse((await workspace.cli('report', '--json')).stdout);
  expect(report.files).toMatchObject([{ zones: [{ line: 104, text: 'US/Pacific' }] }]);
  const traced = await workspace.cli('trace', 'noted.csv:2', '--json');
  expect(traced.stdout).toContain('in America/Los_Angeles, as UTC');
  expect(JSON.parse(traced.stdout).rows[0].settings).toBe('same');
  const set = ['--set', 'Email=ann@example.org', '--dry-run'];
  const corrected = await workspace.cli('correct', 'noted.csv:102', ...set);
  expect(corrected.stdout).toContain('in America/Los_Angeles, as UTC');
});
