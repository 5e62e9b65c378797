import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEMO_ENV } from '../../src/actions/demo/demo.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import { commandLine } from '../support/command-line.js';
import { configureShow, dropSamples, SAMPLE_SHOWS } from '../support/sample-shows.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  addLedger,
  documentOf,
  type ReportDocument,
  type TestWorkspace,
  testWorkspace,
} from '../support/workspace.js';

interface Shown {
  readonly workspace: TestWorkspace;
  readonly first: ReportDocument;
  /** The runs of the samples that came in after it. */
  readonly further: readonly ReportDocument[];
}

const SAMPLES = fileURLToPath(new URL('../../data/samples/', import.meta.url));

it('each operation has sample files', () => {
  const shown = SAMPLE_SHOWS.flatMap(({ operations }) => operations);
  expect(shown.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

it('the samples of skills add some and delete them again, those of one content in one request', async () => {
  const show = await shown('delete-skills');
  const [deleted] = show.further;
  expect(show.first).toMatchObject({
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

it('the samples of courses restore a deleted course, and list altered letters', async () => {
  const show = await shown('create-course');
  const [updated, deleted, restored] = show.further;
  expect(show.first.altered.shown).toContainEqual(
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

it('the samples of groups have a refused duplicate, and list apostrophes that were returned as entities', async () => {
  const show = await shown('create-group');
  expect(show.first).toMatchObject({
    states: { accepted: 3, rejected: 1 },
    altered: { counts: { entity: 2, letters: 0, other: 0 } },
  });
  expect(show.further).toEqual([]);
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
  const rerun = await show.workspace.cli('rerun', '--all', '--dry-run', '--json');
  expect(documentOf<unknown>(rerun)).toMatchObject({ requests: 1 });
});

/** Delivers the samples of an operation, and then the same files again, which must stage nothing. */
async function shown(operation: string): Promise<Shown> {
  const show = SAMPLE_SHOWS.find(({ operations }) => operations.includes(operation));
  if (show === undefined) throw new Error(`no samples of ${operation}`);
  const workspace = await testWorkspace({ sandbox: show.sandbox });
  configureShow(workspace.root, workspace.sandbox.url, show);
  addLedger(workspace);
  // The inboxes are there once a run has looked for them.
  await workspace.run();
  const runs: ReportDocument[] = [];
  for (const samples of show.rounds) {
    dropSamples(workspace.root, samples);
    runs.push((await workspace.run()).report);
  }
  const posts = workspace.posts();
  dropSamples(workspace.root, show.rounds.flat());
  expect((await workspace.run()).report).toMatchObject({ balanced: true, rows: 0 });
  expect(workspace.posts()).toBe(posts);
  const [first, ...further] = runs;
  if (first === undefined) throw new Error('there are no samples');
  return { workspace, first, further };
}

/** What `registrar check` says would be sent for a line of a sample, in a workspace that has seen none of it. */
async function requestIn(file: string, line: number): Promise<unknown> {
  const show = SAMPLE_SHOWS.find(({ rounds }) => rounds.flat().some((sample) => sample.file === file));
  const source = show?.rounds.flat().find((sample) => sample.file === file)?.source ?? '';
  const root = tempFolder();
  if (show !== undefined) configureShow(root, 'http://127.0.0.1:9', show);
  const args = ['check', join(SAMPLES, file), '--source', source, '--json'];
  const { records } = documentOf<{ records: readonly { line: number; request: unknown }[] }>(
    await commandLine(args, { cwd: root, env: DEMO_ENV }),
  );
  return records.find((record) => record.line === line)?.request;
}
