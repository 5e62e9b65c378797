import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { QUERIES, type QueryName, type QueryRequest } from '../../../src/actions/browse/queries.js';
import type { ActionContext } from '../../../src/actions/context.js';
import { inProcessQueries } from '../../../src/console/queries/query-pool.js';
import { contextFor } from '../../../src/console/server/context-for.js';
import type { ConsoleContext } from '../../../src/console/work/console-context.js';
import type { Role } from '../../../src/domain/access/role.js';
import type { Selection } from '../../../src/domain/selection.js';
import { ANY_ROW } from '../../support/any-row.js';
import { type Known, wordedConsole } from '../../support/worded-console.js';
import { MARKED, PERSONAL } from './marked-words.js';

/** Every input of each query; a query without an entry is a mistake of types. */
type Requests = { readonly [Name in QueryName]: readonly QueryRequest<Name>[] };

const ALL: Selection = {
  ...ANY_ROW,
  states: [
    'waiting',
    'held',
    'accepted',
    'rejected',
    'failed',
    'in-doubt',
    'dismissed',
    'replaced',
    'invalid',
  ],
};

const MARKED_TEXTS = [`${MARKED.local}.firstunknown2@${MARKED.domain}`, MARKED.identifier];

const LIST = { isDescending: true, after: null, limit: 100 } as const;

function requestsFor({ drops, runs, submissions, decisions, rows, uploads }: Known, file: string): Requests {
  const whats = [...submissions.map(String), ...rows, ...drops.map((drop) => `${drop}:1`)];
  const reports = [{}, ...runs.map((runId) => ({ runId }))];
  const list = { search: null, after: null, limit: 500 };
  const mapped = { old: `${MARKED.local}.firstunknown2@${MARKED.domain}`, new: `${MARKED.identifier} two` };
  const shown = { order: 'time', ...LIST } as const;
  const files = { source: null, name: null, standing: null, ...shown };
  return {
    pulse: [{}],
    overview: [{}],
    alerts: [{}],
    upload: uploads.map((id) => ({ source: 'academy', id })),
    newSource: uploads.map((id) => ({
      source: 'academy',
      id,
      operation: 'submit-completion',
      environment: undefined,
      answers: { columns: {}, defaults: {} },
    })),
    access: [{}],
    waitingUploads: [{}],
    inboxes: [{}],
    files: [files],
    file: drops.map((drop) => ({ drop })),
    doctor: [{ asksPlatforms: false }],
    openRows: [{}],
    causes: [{}],
    rows: [{ ...list, selection: ALL }],
    row: whats.map((what) => ({ what })),
    search: [...MARKED_TEXTS, 'e'].map((search) => ({ search, limit: 100 })),
    person: MARKED_TEXTS.map((learner) => ({ learner, from: 0, count: 100 })),
    learners: [{ named: null, from: 0, count: 100 }],
    unknownLearners: [{}],
    plan: [
      { verb: 'rerun', request: { selection: { ...ALL, states: ['rejected'] } } },
      { verb: 'dismiss', request: { selection: { ...ALL, states: ['invalid', 'rejected'] } } },
      ...drops.map((drop) => ({ verb: 'dismiss' as const, request: { selection: null, drop } })),
      { verb: 'map', request: mapped },
      ...drops.map((drop) => ({ verb: 'restage' as const, request: { drop: String(drop), limit: 100 } })),
      ...rows.map((what) => ({
        verb: 'correct' as const,
        request: { row: /^\d+$/.test(what) ? `#${what}` : what, values: [] },
      })),
      ...['Email', 'Completed on'].map((column) => ({
        verb: 'replace' as const,
        request: { selection: ALL, column, find: 'e', with: 'x' },
      })),
    ],
    rowsPlan: rows.map((what) => ({ rows: [{ what: /^\d+$/.test(what) ? `#${what}` : what, set: [] }] })),
    statusDocument: [{}],
    healthDocument: [{}],
    reportDocument: reports.map((selection) => ({ selection, inboxes: true })),
    traceDocument: whats.map((what) => ({ what: /^\d+$/.test(what) ? `#${what}` : what, searchAll: true })),
    checkDocument: [{ path: file, name: 'x.csv', source: 'academy', limit: 100 }],
    runPlan: [{ sources: [], confirmed: [], intake: true, push: true }],
    runs: [{ ...LIST, trigger: null, end: null }],
    run: runs.map((run) => ({ run })),
    reportFacts: reports.map((selection) => ({ selection })),
    // Pages of files refuse viewers.
    reportFile: [],
    decisions: [{ ...LIST, who: null, door: null }],
    decision: decisions.map((decision) => ({ decision, after: null, limit: 100 })),
    auditLog: [{ kind: null, who: null, since: null, until: null, after: null, limit: 100 }],
    schedule: [{}],
    versions: [{}],
  };
}

it('no query shows a viewer personal data, in an answer or in a failure', async () => {
  const { context, known, workspace } = await wordedConsole(MARKED);
  const file = join(workspace.root, 'checked.csv');
  writeFileSync(
    file,
    `Email,Course ID,Completed on,Status\n${MARKED.identifier},C-1,${MARKED.cell},Completed\n`,
  );
  const requests = requestsFor(known(), file);
  expect(Object.keys(requests).sort()).toEqual(Object.keys(QUERIES).sort());
  const shownPersonal = async (role: Role) => {
    const { query } = contextFor({ name: 'somebody', role }, consoleContextOf(context));
    const personal = new Set<string>();
    for (const [name, all] of Object.entries(requests)) {
      for (const request of all) {
        const answer = await query(name as QueryName, request as never).catch((error: Error) => ({
          ...error,
          message: error.message,
        }));
        const text = typeof answer === 'string' ? answer : JSON.stringify(answer, inFull);
        const at = text?.search(PERSONAL) ?? -1;
        if (at >= 0)
          personal.add(role === 'viewer' ? `${name}: ${text.slice(Math.max(0, at - 120), at + 40)}` : name);
      }
    }
    return [...personal].sort();
  };
  expect(await shownPersonal('viewer')).toEqual([]);
  // Each of these would show it without the mask.
  expect(await shownPersonal('auditor')).toEqual([
    ...['auditLog', 'causes', 'checkDocument', 'decision', 'decisions', 'file', 'files'],
    ...['learners', 'overview', 'person', 'plan', 'reportDocument', 'reportFacts', 'row'],
    ...[
      'rows',
      'rowsPlan',
      'search',
      'statusDocument',
      'traceDocument',
      'unknownLearners',
      'upload',
      'waitingUploads',
    ],
  ]);
});

it('a viewer finds no person by any query', async () => {
  const { context } = await wordedConsole(MARKED);
  const { query } = contextFor({ name: 'vera', role: 'viewer' }, consoleContextOf(context));
  const files = {
    source: null,
    standing: null,
    order: 'time',
    isDescending: true,
    after: null,
    limit: 9,
  } as const;
  for (const request of [
    query('files', { ...files, name: 'oswald' }),
    query('reportFacts', { selection: { fileName: `${MARKED.file}.csv` } }),
    query('reportDocument', { selection: { fileName: `${MARKED.file}.csv` }, inboxes: false }),
  ])
    await expect(request).rejects.toThrow('a viewer can’t search by names of files and e-mail addresses');
  for (const request of [
    query('rows', { search: null, after: null, limit: 50, selection: ALL }),
    query('learners', { named: null, from: 0, count: 9 }),
    query('row', { what: '1:2' }),
    query('search', { search: 'oswald', limit: 9 }),
  ])
    await expect(request).rejects.toThrow('a viewer sees counts and causes, not rows');
});

function consoleContextOf(context: ActionContext): ConsoleContext {
  return {
    actionContext: () => context,
    query: inProcessQueries(() => context).query,
    reload: async () => {},
    inBackground() {},
    started: { runs: new Map(), lines: new Map() },
  };
}

/** Maps are written with their entries, so that nothing in them is overlooked. */
function inFull(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value instanceof Set ? [...value] : value;
}
