import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEMO_SHOWS } from '../../src/actions/demo/shows.js';
import { DEMO_ENV, demoConfig } from '../../src/actions/demo/workspace.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import { commandLine } from '../support/command-line.js';
import { differences } from '../support/json-document.js';
import { document } from '../support/markdown.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type ReportDocument } from '../support/workspace.js';

interface DemoDocument {
  readonly workspace: string;
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly first: ReportDocument;
  readonly further: readonly ReportDocument[];
  readonly second: ReportDocument;
}

const SAMPLES = fileURLToPath(new URL('../../data/samples/', import.meta.url));

it('each operation is shown by one demo', () => {
  const shown = DEMO_SHOWS.flatMap(({ operations }) => operations);
  expect(shown.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

it('the demo of skills adds some and deletes them again, those of one content in one request', async () => {
  const demo = await shown('delete-skills');
  const [deleted] = demo.further;
  expect(demo.first).toMatchObject({
    dispositions: { staged: 4, duplicate: 2, invalid: 1 },
    states: { accepted: 5, rejected: 1 },
    attempts: { total: 4, rejected: 1 },
  });
  expect(deleted).toMatchObject({
    states: { accepted: 3, rejected: 1 },
    attempts: { total: 3, rejected: 1 },
  });
  expect(deleted?.causes).toContainEqual(
    expect.objectContaining({ state: 'rejected', example: 'skills-to-remove.csv:5' }),
  );
  expect(await requestIn('skills-to-remove.csv', 2)).toEqual({
    method: 'DELETE',
    path: '/api/v2/content/SAFE-101/relationships/skills',
    body: {
      data: [
        { id: 'Ladders', type: 'skills' },
        { id: 'Fire safety', type: 'skills' },
      ],
    },
  });
});

it('the demo of courses restores the one that was deleted, and lists altered letters', async () => {
  const demo = await shown('create-course');
  const [updated, deleted, restored] = demo.further;
  expect(demo.first.altered.shown).toContainEqual(
    expect.objectContaining({ line: 6, field: 'title', kind: 'letters', sent: 'Größe und Maß' }),
  );
  expect([updated, deleted, restored].map((run) => run?.states)).toMatchObject([
    { accepted: 3, rejected: 1 },
    { accepted: 2, rejected: 1 },
    { accepted: 2, rejected: 0 },
  ]);
  expect(restored?.existing).toMatchObject({ revived: 1 });
  expect(await requestIn('courses-to-create.csv', 7)).toEqual({
    method: 'POST',
    path: '/api/v2/content/courses',
    body: {
      data: { type: 'content/courses', attributes: { 'external-id': 'HSE-012', title: 'Ladders and steps' } },
    },
  });
  expect(await requestIn('courses-to-update.csv', 4)).toEqual({
    method: 'PATCH',
    path: '/api/v2/content/courses/HSE-012',
    body: { data: { type: 'content/courses', attributes: { obsolete: true } } },
  });
  expect(await requestIn('courses-to-delete.csv', 3)).toEqual({
    method: 'DELETE',
    path: '/api/v2/content/courses/00420',
    body: null,
  });
});

it('the demo of groups has one refused that exists, and lists the apostrophes that came back as entities', async () => {
  const demo = await shown('create-group');
  expect(demo.first).toMatchObject({
    states: { accepted: 3, rejected: 1 },
    altered: { counts: { entity: 2, letters: 0, other: 0 } },
  });
  expect(demo.further).toEqual([]);
  expect(await requestIn('groups.csv', 2)).toEqual({
    method: 'POST',
    path: '/api/v2/groups',
    body: {
      data: {
        type: 'groups',
        attributes: { name: "Nurses' station", description: 'Everyone on **ward 7**' },
      },
    },
  });
  const rerun = await commandLine(['rerun', '--all', '--dry-run', '--json'], {
    cwd: demo.workspace,
    env: DEMO_ENV,
  });
  expect(documentOf<unknown>(rerun)).toMatchObject({ requests: 1 });
});

it('generated completions go with no other operation', async () => {
  const args = ['demo', '--operation', 'create-group', '--rows', '5'];
  const { code, stderr } = await commandLine(args, { cwd: tempFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--operation create-group shows none')]);
});

/** Runs the demo of an operation, which must have kept what it promises. */
async function shown(operation: string): Promise<DemoDocument> {
  const folder = tempFolder();
  const args = ['demo', '--operation', operation, '--json'];
  const printed = documentOf<DemoDocument>(await commandLine(args, { cwd: folder, env: { TMPDIR: folder } }));
  expect(printed).toMatchObject({ ok: true, problems: [], second: { rows: 0 } });
  const run = ['A run', 'A report'];
  const references = { first: run, 'further[]': run, second: run };
  expect(differences(document('docs/cli-json.md'), ['registrar demo'], [printed], references)).toEqual([]);
  return printed;
}

/** What `registrar check` says would be sent for a line of a sample, in a workspace that has seen none of it. */
async function requestIn(file: string, line: number): Promise<unknown> {
  const show = DEMO_SHOWS.find(({ rounds }) => rounds.flat().some((sample) => sample.file === file));
  const source = show?.rounds.flat().find((sample) => sample.file === file)?.source ?? '';
  const root = tempFolder();
  const quota = { requests: 70, perMs: 60_000 };
  writeFileSync(join(root, 'registrar.yaml'), demoConfig('http://127.0.0.1:9', quota, show));
  const args = ['check', join(SAMPLES, file), '--source', source, '--json'];
  const { records } = documentOf<{ records: readonly { line: number; request: unknown }[] }>(
    await commandLine(args, { cwd: root, env: DEMO_ENV }),
  );
  return records.find((record) => record.line === line)?.request;
}
