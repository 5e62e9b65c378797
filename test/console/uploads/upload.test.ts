import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ActionContext } from '../../../src/actions/context.js';
import { formTokenOf } from '../../../src/console/identity/browser-secret.js';
import type { ConsoleParts } from '../../../src/console/start-console.js';
import { testConsole } from '../../support/console.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { peopledConsole } from '../../support/peopled-console.js';
import { formOf, type Part, sendRaw, unfinishedForm, uploadParts } from '../../support/sent-file.js';
import { testWorkspace, until } from '../../support/workspace.js';
import { workspaceContext } from '../../support/workspace-context.js';

const CSV = csvOf(exportRows(3));

async function opened(
  more: Partial<ConsoleParts> = {},
  largestUploadBytes = 1_000_000,
  spec: Parameters<typeof testWorkspace>[0] = {},
) {
  const workspace = await testWorkspace(spec);
  const own = await workspaceContext(workspace);
  const context: ActionContext = {
    ...own,
    config: { ...own.config, console: { ...own.config.console, largestUploadBytes } },
  };
  const { url, visitor, failures } = await testConsole(() => context, more);
  const sender = visitor();
  await sender.get('/files');
  const cookie = () => [...sender.cookies].map((pair) => pair.join('=')).join('; ');
  const send = (parts: readonly Part[], headers: Readonly<Record<string, string>> = {}) =>
    sendRaw(url, { cookie: cookie(), ...headers }, formOf(parts));
  const upload = async (name: string, content: string | Buffer = CSV) => {
    const answer = await send(uploadParts(sender.token, name, content));
    if (answer === 'cut') throw new Error('the console cut the upload');
    return answer;
  };
  const inInbox = () => workspace.files('inbox').filter((name) => !name.includes('/.'));
  const stored = () => workspace.files('inbox').filter((name) => name.includes('/.'));
  return { workspace, context, url, visitor: sender, cookie, send, upload, inInbox, stored, failures };
}

const stateOf = async (workspace: Awaited<ReturnType<typeof testWorkspace>>) =>
  workspace.query<{ state: string }>('select state from submission').map(({ state }) => state);

it('a file is sent, checked, imported and delivered, without a script', async () => {
  const { workspace, visitor, upload, stored, failures } = await opened();
  const content = csvOf([...exportRows(2), exportRow(5, { at: 'never' })]);
  const { status, location } = await upload('march.csv', content);
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/files\/uploads\/academy\/[\w-]{32}$/)]);
  const [part = '', ...others] = stored();
  expect([part, others]).toEqual([expect.stringMatching(/^academy\/\.upload-.*-march\.csv\.part$/), []]);
  expect(statSync(join(workspace.root, 'inbox', part)).mode & 0o777).toBe(0o600);

  const page = await (await visitor.get(location ?? '')).text();
  expect(page).toContain('2 staged, 1 invalid');
  expect(page).toContain('timestamp-invalid');
  expect(page).toContain('learner0@example.org');
  expect(workspace.query('select * from drop_file')).toEqual([]);

  const list = await (await visitor.get('/files')).text();
  expect(list).toContain(`<a href="${location}"><bdi>march.csv</bdi></a>`);

  const taken = await visitor.post(`${location}/take`, { name: 'march.csv' });
  expect(taken.headers.get('location')).toBe('/files?source=academy&took=march.csv');
  expect(await (await visitor.get('/files?source=academy&took=march.csv')).text()).toContain(
    '<bdi>march.csv</bdi> is in the inbox of',
  );
  expect(workspace.files('inbox')).toEqual(['academy/march.csv']);
  expect(stored()).toEqual([]);
  expect(await (await visitor.get('/files')).text()).toContain('<bdi>march.csv</bdi> <span');

  const begun = await visitor.post('/run', { source: 'academy' });
  expect([begun.status, begun.headers.get('location')]).toEqual([303, '/runs/1']);
  await until(
    'the rows are delivered',
    () => workspace.query('select * from run where ended_at is not null').length > 0,
  );
  expect(await stateOf(workspace)).toEqual(['accepted', 'accepted']);
  expect(workspace.query('select trigger, ending from run')).toEqual([
    { trigger: 'manual', ending: 'attention' },
  ]);
  await until('the console has noted the end', () => failures.length === 0);
  const after = await (await visitor.get('/files')).text();
  expect(after).toContain('href="/files/1"');
  const name = String(workspace.query<{ who: string }>('select who from audit_event')[0]?.who);
  expect(await (await visitor.get('/files/1')).text()).toContain(
    `<dt>Uploaded by</dt><dd><bdi>${name}</bdi>, `,
  );
  expect((await visitor.get(location ?? '')).status).toBe(404);
  expect((await visitor.post(`${location}/take`, { name: 'march.csv' })).status).toBe(404);
  expect(failures).toEqual([]);
});

it('the preview of a corrected file says what is corrected, and that unchanged rows stay', async () => {
  const sandbox = { learners: { unknownContaining: 'unknown' } };
  const { workspace, visitor, upload } = await opened({}, undefined, { sandbox });
  const rows = [{ email: 'unknown@example.org' }, { email: 'nobody' }, { at: 'never' }];
  workspace.drop('a.csv', csvOf(rows.map((row, index) => exportRow(index, row))));
  await workspace.run();
  const attention = await (await visitor.get('/files/1/attention.csv')).text();
  await visitor.get('/files');
  const { location } = await upload('a.attention.csv', attention.replace(/\bnobody\b/, 'ada@example.org'));
  const page = await (await visitor.get(location ?? '')).text();
  expect(page).toContain(
    '1 row is corrected. 2 rows stay as is; to send a refused row again unchanged, rerun it. 1 request in all.',
  );
});

it('a run ignores an upload that waits for a decision, however long it waits', async () => {
  const { workspace, upload, stored } = await opened();
  await upload('march.csv');
  const [part = ''] = stored();
  const long = Date.parse('2020-01-01') / 1000;
  utimesSync(join(workspace.root, 'inbox', part), long, long);
  expect((await workspace.run()).code).toBe(0);
  expect(workspace.files('inbox')).toEqual([part]);
});

it('a second file of the same name gets a number, and a discarded one is deleted', async () => {
  const { workspace, visitor, upload, stored } = await opened();
  const paths = [];
  for (let count = 0; count < 3; count += 1) paths.push((await upload('march.csv')).location ?? '');
  await visitor.get('/files');
  await visitor.post(`${paths[0]}/take`, { name: 'march.csv' });
  await visitor.post(`${paths[1]}/take`, { name: 'march.csv' });
  await visitor.post(`${paths[2]}/discard`, {});
  expect(workspace.files('inbox')).toEqual(['academy/march (2).csv', 'academy/march.csv']);
  expect(stored()).toEqual([]);
});

describe('a hostile name', () => {
  it('is shown without harm, and reported where it is invalid', async () => {
    const { visitor, upload, inInbox, failures } = await opened();
    for (const [name, shown, mistake] of [
      ['../../x.csv', 'x.csv', null],
      ['C:\\\\Users\\\\ada\\\\x.csv', 'x.csv', null],
      ['/etc/passwd', 'passwd', 'imports files that match'],
      ['<img src=x onerror=alert(1)>.csv', '&lt;img src=x onerror=alert(1)&gt;.csv', null],
      ['.hidden.csv', 'hidden.csv', null],
      ['CON', 'CON', 'device on Windows'],
      ['march.csv.part', 'march.csv.part', 'unfinished'],
      [`${'ä'.repeat(200)}.csv`, `${'ä'.repeat(98)}.csv`, null],
      ['a\0b.csv', 'ab.csv', null],
      ['a\u202eb.csv', 'a\\u202eb.csv', null],
    ] as const) {
      const { status, location } = await upload(name);
      expect([name, status]).toEqual([name, 303]);
      const page = await (await visitor.get(location ?? '')).text();
      expect([name, page]).toEqual([name, expect.stringContaining(`<h1>${shown}: not imported yet</h1>`)]);
      expect([name, page]).not.toEqual([name, expect.stringContaining('<img')]);
      const expected = [name, expect.stringContaining(mistake ?? 'under this name')];
      if (mistake === null) expect([name, page]).not.toEqual(expected);
      else expect([name, page]).toEqual(expected);
      expect(inInbox()).toEqual([]);
    }
    expect(failures).toEqual([]);
  });

  it('is refused when it is typed', async () => {
    const { inInbox, visitor, upload, stored } = await opened();
    const { location } = await upload('march.csv');
    for (const name of [
      '../x.csv',
      'a/b.csv',
      '.x.csv',
      'x.exe',
      '',
      ' x.csv',
      'x\0.csv',
      'nul.csv',
      `${'x'.repeat(300)}.csv`,
    ]) {
      const { status } = await visitor.post(`${location}/take`, { name });
      expect([name, status]).toEqual([name, 422]);
      expect([name, inInbox(), stored().length]).toEqual([name, [], 1]);
    }
  });
});

it('nothing is stored of a form from another server, from any sender', async () => {
  const { visitor, send, stored } = await opened();
  const other = uploadParts('wrong', 'march.csv', CSV);
  const right = uploadParts(visitor.token, 'march.csv', CSV);
  const statusOf = async (answer: ReturnType<typeof send>) => {
    const got = await answer;
    return got === 'cut' ? 'cut' : got.status;
  };
  expect(await statusOf(send(other))).toBe(403);
  expect(await statusOf(send(right, { origin: 'http://evil.example' }))).toBe(403);
  expect(await statusOf(send(right, { 'sec-fetch-site': 'cross-site' }))).toBe(403);
  expect(await statusOf(send(right, { cookie: '' }))).toBe(403);
  // A token behind the file comes too late.
  expect(await statusOf(send(right.toReversed()))).toBe(403);
  expect(await statusOf(send(right.slice(0, 2)))).toBe(400);
  expect(await statusOf(send(uploadParts(visitor.token, '', '')))).toBe(400);
  expect(await statusOf(send(right, { 'content-type': 'text/csv' }))).toBe(400);
  expect(await statusOf(send(uploadParts(visitor.token, 'march.csv', CSV, 'nobody')))).toBe(404);
  expect(stored()).toEqual([]);
});

it('a file that is too large gets a message and is not kept, with or without a stated size', async () => {
  const { url, visitor, cookie, send, stored } = await opened({}, 200_000);
  const parts = uploadParts(visitor.token, 'march.csv', Buffer.alloc(250_000, 'x'));
  const answer = await send(parts);
  expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('larger than 200 kB') });
  const endless = await sendRaw(url, { cookie: cookie() }, (write) => {
    write(unfinishedForm(uploadParts(visitor.token, 'endless.csv', '')));
    const more = Buffer.alloc(50_000, 'y');
    for (let count = 0; count < 6; count += 1) write(more);
  });
  expect(endless === 'cut' ? 413 : endless.status).toBe(413);
  expect(await send(uploadParts(visitor.token, 'march.csv', Buffer.alloc(200_000, 'x')))).toMatchObject({
    status: 303,
  });
  expect(stored()).toHaveLength(1);
});

it('a sender that is too slow is stopped, and one that goes away leaves nothing', async () => {
  const { url, visitor, cookie, stored } = await opened({
    uploads: { minBytes: 1_000, perMs: 150, maxConcurrent: 4 },
  });
  const head = unfinishedForm(uploadParts(visitor.token, 'slow.csv', CSV));
  const slow = await sendRaw(url, { cookie: cookie() }, (write) => write(head));
  expect(slow).toMatchObject({ status: 408 });
  expect(stored()).toEqual([]);
  const gone = await sendRaw(url, { cookie: cookie() }, (write, hangUp) => {
    write(head);
    setTimeout(hangUp, 50);
  });
  expect(gone).toBe('cut');
  await until('the rest is removed', () => stored().length === 0);
});

it('the number of uploads at once is bounded, and the place of one that ended is free again', async () => {
  const { url, visitor, cookie, upload } = await opened({
    uploads: { minBytes: 1, perMs: 400, maxConcurrent: 1 },
  });
  const head = unfinishedForm(uploadParts(visitor.token, 'slow.csv', CSV));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const slow = sendRaw(url, { cookie: cookie() }, (write) => {
    write(head);
    setTimeout(begin, 100);
  });
  await begun;
  expect((await upload('other.csv')).status).toBe(429);
  expect(await slow).toMatchObject({ status: 408 });
  expect((await upload('other.csv')).status).toBe(303);
});

it.each(['viewer', 'auditor'] as const)('%ss send nothing, see no upload and begin no run', async (role) => {
  const { context, upload, stored, workspace } = await opened();
  const { location } = await upload('march.csv');
  const peopled = await peopledConsole(context);
  const other = await peopled.as(role);
  const page = await (await other.get('/files')).text();
  expect(page).not.toContain('type="file"');
  // The page has no form for them; its token alone permits no action.
  const token = formTokenOf([...other.cookies.values()][0] ?? '');
  const sent = await sendRaw(
    peopled.url,
    { cookie: [...other.cookies].map((pair) => pair.join('=')).join('; ') },
    formOf(uploadParts(token, 'x.csv', CSV)),
  );
  expect(sent).toMatchObject({ status: 403 });
  expect((await other.get(location ?? '')).status).toBe(403);
  for (const path of [`${location}/take`, `${location}/discard`, '/run']) {
    expect([path, (await other.post(path, { token, source: 'academy', name: 'x.csv' })).status]).toEqual([
      path,
      403,
    ]);
  }
  expect(stored()).toHaveLength(1);
  expect(workspace.query('select * from run')).toEqual([]);
});

it('an undecided upload, and one of a dead process, is deleted after a day', async () => {
  const { workspace, upload, stored } = await opened();
  await upload('old.csv');
  const long = Date.parse('2020-01-01') / 1000;
  const folder = join(workspace.root, 'inbox', 'academy');
  writeFileSync(join(folder, '.999999999-0123456789abcdef.tmp'), 'half');
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  writeFileSync(join(folder, '.999999999-fedcba9876543210.tmp'), 'of another machine');
  await upload('new.csv');
  expect(stored()).toEqual([
    'academy/.999999999-fedcba9876543210.tmp',
    expect.stringMatching(/-new\.csv\.part$/),
  ]);
});

it('a script gets the full reason why a file is refused', async () => {
  const { url, visitor, cookie } = await opened();
  const form = new FormData();
  form.set('token', visitor.token);
  form.set('source', 'nowhere');
  form.set('file', new File([CSV], 'march.csv'));
  const headers = { cookie: cookie(), accept: 'application/json' };
  const answer = await fetch(new URL('/files/upload', url), { method: 'POST', body: form, headers });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { message: expect.stringMatching(/^registrar\.yaml has no source .*nowhere.*\. \S/) },
  ]);
});

it('why no row of a file can be read ends in one full stop', async () => {
  const { visitor, upload } = await opened();
  const { location } = await upload('empty.csv', '');
  const page = await (await visitor.get(location ?? '')).text();
  expect(page).toContain('the file is empty');
  expect(page).not.toContain('..');
});
