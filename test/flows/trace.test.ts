import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attentionOf, savedCsv } from '../support/attention-file.js';
import { csvOf, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const ADA = 'ada@example.org';

interface TraceDocument {
  readonly kind: string | null;
  readonly rows: readonly {
    readonly file: string;
    readonly line: number;
    readonly disposition: string;
    readonly settings: string;
    readonly submission: number | null;
    readonly resolvedBy: number | null;
    readonly issues: readonly { readonly code: string }[];
    readonly fields: readonly {
      readonly field: string;
      readonly before: string | null;
      readonly after: unknown;
      readonly rule: string;
    }[];
  }[];
  readonly submissions: readonly {
    readonly submission: number;
    readonly line: number;
    readonly key: string;
    readonly state: string;
    readonly next: string;
    readonly replacedBy: number | null;
    readonly replaces: readonly number[];
    readonly madeBy: { readonly kind: string } | null;
    readonly transitions: readonly {
      readonly event: string;
      readonly decision: { readonly who: string; readonly because: string } | null;
    }[];
    readonly attempts: readonly {
      readonly attempt: number;
      readonly answers: readonly {
        readonly status: number;
        readonly errorId: string | null;
        readonly body: string;
        readonly headers: Readonly<Record<string, string>>;
      }[];
    }[];
  }[];
  readonly corrections: readonly { readonly old: { readonly id: string } }[];
}

async function traced(workspace: TestWorkspace, ...args: string[]): Promise<TraceDocument> {
  const result = await workspace.cli('trace', ...args, '--json');
  expect(result.code).toBe(0);
  return documentOf<TraceDocument>(result);
}

const fieldsOf = (document: TraceDocument, at = 0) =>
  Object.fromEntries(
    (document.rows[at]?.fields ?? []).map(({ field, before, after, rule }) => [field, [before, after, rule]]),
  );

describe('registrar trace', () => {
  it('shows of an accepted row in two files what was read, by which rule, and what the platform said', async () => {
    const workspace = await testWorkspace();
    const row = exportRow(1, { email: ' Ada@Example.ORG', at: '2024-03-01 10:00:00' });
    workspace.drop('a.csv', csvOf([exportRow(7), row]));
    await workspace.run();
    workspace.drop('b.xlsx', workbookOf([row]));
    await workspace.run();

    const document = await traced(workspace, ADA);
    expect(document.rows.map(({ file, line, disposition }) => [file, line, disposition])).toEqual([
      ['a.csv', 3, 'staged'],
      ['b.xlsx', 2, 'duplicate'],
    ]);
    expect(fieldsOf(document)).toMatchObject({
      'user-id': [' Ada@Example.ORG', ADA, 'trimmed, lower case'],
      'completed-at': ['2024-03-01 10:00:00', '2024-03-01T09:00:00.000Z', 'in Europe/Berlin, as UTC'],
      percentile: ['21', 21, 'of 100'],
      status: ['Completed', null, 'decides whether the row counts'],
    });
    expect(fieldsOf(document, 1)['completed-at']?.[2]).toBe('workbook date, in Europe/Berlin, as UTC');
    expect(document.rows.map(({ settings }) => settings)).toEqual(['same', 'same']);
    const [life] = document.submissions;
    expect(life?.transitions.map(({ event }) => event)).toEqual(['claimed', 'accepted']);
    expect(life?.attempts[0]?.answers).toMatchObject([
      { status: 201, body: expect.stringContaining('"completions"'), headers: expect.anything() },
    ]);
    expect(life?.next).toMatch(/^Nothing: the platform has accepted it/);

    // All ways to the same life.
    const key = life?.key ?? '';
    const number = life?.submission ?? 0;
    for (const what of [`Ada <${ADA}>`, key, 'a.csv:3', '1:3', 'b.xlsx#Completions:2', `#${number}`]) {
      const again = await traced(workspace, what);
      expect([what, again.submissions.map(({ submission }) => submission)]).toEqual([what, [number]]);
      expect([what, again.rows.length]).toEqual([what, 2]);
    }
    const screen = await workspace.cli('trace', ADA);
    expect(screen.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
    expect(screen.stdout).toContain('b.xlsx#Completions:2 (drop 2 of academy, imported');
  });

  it('shows of a refused row that was rerun who decided it and why, and each answer word for word', async () => {
    const unknown = [ADA];
    const workspace = await testWorkspace({ sandbox: { learners: { unknown } } });
    workspace.drop('a.csv', csvOf([exportRow(1, { email: ADA })]));
    await workspace.run();
    const refused = await traced(workspace, ADA);
    expect(refused.submissions[0]).toMatchObject({
      state: 'rejected',
      next: expect.stringContaining('--row 1'),
    });
    unknown.splice(0);
    await workspace.cli('rerun', '--row', '1', '--because', 'provisioned today');

    const { submissions } = await traced(workspace, ADA);
    expect(submissions[0]?.transitions.map(({ event, decision }) => [event, decision?.because])).toEqual([
      ['claimed', undefined],
      ['rejected', undefined],
      ['rerun', 'provisioned today'],
      ['claimed', undefined],
      ['accepted', undefined],
    ]);
    const answers = submissions[0]?.attempts.flatMap((attempt) => attempt.answers) ?? [];
    expect(answers.map(({ status }) => status)).toEqual([400, 201]);
    const { errors } = JSON.parse(answers[0]?.body ?? '') as { errors: { id: string; detail: string }[] };
    expect(errors[0]).toMatchObject({ id: answers[0]?.errorId, detail: expect.stringContaining(ADA) });
    const { stdout } = await workspace.cli('trace', ADA);
    expect(stdout).toContain('“provisioned today”');
    expect(stdout).toContain(answers[0]?.body);
  });

  it('finds the learner of rows that became no record, and only where the row is about the learner', async () => {
    const workspace = await testWorkspace();
    const rows = [
      exportRow(1, { email: ADA, at: 'soon' }),
      exportRow(2, { email: ADA, status: 'In progress' }),
      exportRow(3, { email: `jo${ADA}`, at: 'soon' }),
      exportRow(4, { course: ADA, at: 'soon' }),
    ];
    workspace.drop('a.csv', csvOf([...rows, ...exportRows(2, 10)]));
    await workspace.run();
    const { rows: found, submissions } = await traced(workspace, ADA.toUpperCase());
    expect(submissions).toEqual([]);
    expect(found.map(({ line, disposition, issues }) => [line, disposition, issues[0]?.code])).toEqual([
      [2, 'invalid', 'timestamp-invalid'],
      [3, 'skipped', 'status-not-completed'],
    ]);
    const { stdout } = await workspace.cli('trace', 'a.csv:2');
    expect(stdout).toMatch(/timestamp-invalid: Completed on "soon"[\s\S]*refused: timestamp-invalid/);
  });

  it('follows a correction of the learner in both directions', async () => {
    const typo = 'aad@example.org';
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [typo] } } });
    workspace.drop('a.csv', csvOf([exportRow(1, { email: typo }), exportRow(2, { email: ADA })]));
    await workspace.run();
    await workspace.cli('map', typo, ADA, '--because', 'a typo');
    await workspace.run();
    workspace.drop('b.csv', csvOf([exportRow(3, { email: typo })]));
    await workspace.run();
    for (const who of [typo, ADA]) {
      const { submissions, corrections, rows } = await traced(workspace, who);
      expect(corrections).toMatchObject([{ old: { id: typo } }]);
      expect(rows.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.csv:2', 'a.csv:3', 'b.csv:2']);
      const lives = submissions.map(({ line, state, madeBy }) => [line, state, madeBy?.kind ?? null]);
      expect(lives.sort()).toEqual([
        [2, 'accepted', null],
        [2, 'accepted', 'map'],
        [2, 'replaced', null],
        [3, 'accepted', null],
      ]);
      const old = submissions.find(({ state }) => state === 'replaced');
      const made = submissions.find(({ madeBy }) => madeBy !== null);
      expect([old?.replacedBy, made?.replaces]).toEqual([made?.submission, [old?.submission]]);
      const later = rows.at(-1)?.fields.find(({ field }) => field === 'user-id');
      expect(later).toMatchObject({ before: typo, after: ADA, rule: 'as is, then corrected by map' });
    }
  });

  it('says that the settings have changed since, and what staging made of the row all the same', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf([exportRow(1, { email: ADA, at: '2024-03-01 10:00:00' })]));
    await workspace.run();
    const path = join(workspace.root, 'registrar.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Europe/Berlin', 'Asia/Tokyo'));
    const document = await traced(workspace, ADA);
    expect(document.rows[0]?.settings).toBe('changed');
    expect(fieldsOf(document)['completed-at']).toEqual([
      '2024-03-01 10:00:00',
      '2024-03-01T09:00:00.000Z',
      "in Asia/Tokyo, as UTC, read as 2024-03-01T01:00:00.000Z by today's settings",
    ]);
    expect((await workspace.cli('trace', ADA)).stdout).toContain('settings have changed since');
  });

  it('says of a corrected row that its settings are the same where only the quota or the rows expected changed', async () => {
    const workspace = await testWorkspace({ sandbox: { learners: { unknown: [ADA] } } });
    workspace.drop('a.csv', csvOf([exportRow(1), exportRow(2, { email: ADA })]));
    const { report } = await workspace.run();
    const { header, rows } = attentionOf(workspace, report, 1);
    const correctedRows = rows.map((row) => ({ ...row, Email: 'ada.right@example.org' }));
    workspace.drop('corrected.attention.csv', savedCsv({ header, rows: correctedRows }));
    await workspace.run();
    const path = join(workspace.root, 'registrar.yaml');
    const changed = readFileSync(path, 'utf8')
      .replace(/requests: 70|"requests": ?70/, (text) => text.replace('70', '69'))
      .replace(/stableFor: 0s|"stableFor": ?"0s"/, (text) => text.replace('0s', '1s'));
    expect(changed).not.toBe(readFileSync(path, 'utf8'));
    writeFileSync(path, changed);
    const document = await traced(workspace, 'ada.right@example.org');
    expect(document.rows.map(({ settings }) => settings)).toEqual(['same']);
    expect((await workspace.cli('trace', 'ada.right@example.org')).stdout).not.toContain(
      'settings have changed',
    );
    writeFileSync(path, changed.replace('Europe/Berlin', 'Asia/Tokyo'));
    const later = await traced(workspace, 'ada.right@example.org');
    expect(later.rows.map(({ settings }) => settings)).toEqual(['changed']);
  });

  it('says what it has looked for where it finds nothing, and ends with 1', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(2)));
    await workspace.run();
    for (const what of ['nobody@example.org', 'a.csv:99', '#99', 'deadbeef', 'other.csv:2']) {
      const result = await workspace.cli('trace', what);
      expect([what, result.code, result.stdout]).toEqual([
        what,
        1,
        expect.stringMatching(/^Nothing was found for/),
      ]);
    }
    expect((await workspace.cli('trace', 'a.csv:1')).stdout).toContain(
      'Line 1 of a.csv (drop 1) is its header.',
    );
  });

  it('needs a ledger, which the first run makes', onlyForFiles('where there is none'), async () => {
    const empty = await testWorkspace({ hasNoLedger: true });
    expect(await empty.cli('trace', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no ledger'),
    });
  });
});
