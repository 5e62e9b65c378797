import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tidyUploads } from '../../../../src/actions/uploads.js';
import { changingConsole } from '../../../support/changing-console.js';
import { csvOf, exportRow } from '../../../support/exports.js';
import { fingerprintIn, read } from '../../../support/peopled-console.js';
import { formOf, sendRaw } from '../../../support/sent-file.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { CREDENTIALS, until } from '../../../support/workspace.js';
import { workspaceContext } from '../../../support/workspace-context.js';

it('a setting of a source is shown as registrar.yaml would have it, saved, recorded and used', async () => {
  const { page, save, yaml, file, audit, config } = await changingConsole();
  const before = yaml();
  const { mode } = statSync(file);
  const path =
    '/settings/sources/academy?timeZone=Europe%2FVienna&completed=Teilgenommen%0ABesucht&column-user-id=Mail';
  const shown = await page(path);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('+ timeZone: Europe/Vienna');
  expect(yaml()).toBe(before);

  const saved = await save(path);
  expect([saved.status, saved.to]).toEqual([303, '/settings?saved=yes']);
  expect(config().sources[0]).toMatchObject({
    timeZone: 'Europe/Vienna',
    status: { completed: ['Teilgenommen', 'Besucht'] },
    columns: { 'user-id': 'Mail' },
  });
  expect(yaml()).toMatch(/^# Kept\.\n.*# The end\.\n$/s);
  expect(statSync(file).mode).toBe(mode);
  expect(audit()).toEqual([{ who: 'ada', about: expect.stringContaining('Europe/Vienna') }]);
  expect((await page('/audit')).text).toContain('Change registrar.yaml');

  // The form without a text removes the setting.
  await save('/settings/sources/academy?completed=&column-user-id=');
  expect(config().sources[0]).toMatchObject({ status: { completed: [] }, columns: {} });
});

it('an invalid change is refused with a sentence, and nothing is written', async () => {
  const { page, visitor, yaml, audit } = await changingConsole();
  const before = yaml();
  for (const [path, sentence] of [
    ['/settings/sources/academy?timeZone=Mars%2FOlympus', 'timeZone'],
    ['/settings/sources/academy?match=', 'Nothing would change'],
    ['/settings/schedule/new?cron=61+*+*+*+*&do=run', 'cron'],
    ['/settings/schedule/new?cron=%40daily', 'do'],
    [
      '/settings/channels/new?way=webhook&name=ops&url=https%3A%2F%2Fhooks.example%2FSECRET',
      'not the name of an environment variable',
    ],
    ['/settings/channels/new?way=webhook&name=ops&url=NOT_SET_ANYWHERE', 'NOT_SET_ANYWHERE'],
  ] as const) {
    expect([path, (await page(path)).text]).toEqual([path, expect.stringContaining(sentence)]);
    const { status } = await visitor.post(path, { fingerprint: '' });
    expect([path, status >= 400, yaml(), audit()]).toEqual([path, true, before, []]);
  }
});

it('a change by another person or an editor is kept, and the later person sees a message', async () => {
  const { page, save, visitor, yaml, file } = await changingConsole();
  const mine = '/settings/sources/academy?timeZone=Europe%2FVienna';
  const seen = fingerprintIn(await page(mine));
  await save('/settings/sources/academy?dateOrder=day-first');
  const theirs = yaml();
  const late = await read(await visitor.post(mine, { fingerprint: seen }));
  expect([late.status, yaml()]).toEqual([409, theirs]);
  expect(late.text).toContain('This has changed since you opened the page');

  const again = fingerprintIn(await page(mine));
  writeFileSync(file, `${yaml()}# An editor was here.\n`);
  expect((await visitor.post(mine, { fingerprint: again })).status).toBe(409);
  expect(yaml()).toBe(`${theirs}# An editor was here.\n`);
  await save(mine);
  expect(yaml()).toMatch(/Europe\/Vienna.*# An editor was here\.\n$/s);
});

it('two people who save at once lose no change: both succeed, or one sees a message', async () => {
  const { page, visitor, config } = await changingConsole();
  const paths = [
    '/settings/sources/academy?timeZone=Europe%2FVienna',
    '/settings/sources/academy?dateOrder=day-first',
  ];
  const fingerprints: string[] = [];
  for (const path of paths) fingerprints.push(fingerprintIn(await page(path)));
  const answers = await Promise.all(
    paths.map((path, index) => visitor.post(path, { fingerprint: fingerprints[index] ?? '' })),
  );
  const savedOnes = answers.filter(({ status }) => status === 303).length;
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  const [{ timeZone, dateOrder } = { timeZone: undefined, dateOrder: undefined }] = config().sources;
  expect([timeZone === 'Europe/Vienna', dateOrder === 'day-first'].filter((is) => is)).toHaveLength(
    savedOnes,
  );
});

it('a line of the schedule and a channel are added, changed and removed', async () => {
  const { save, page, config } = await changingConsole({ env: { OPS_HOOK: 'https://hooks.example/1' } });
  expect((await save('/settings/schedule/new?cron=0+7+*+*+1-5&do=run,report&sources=academy')).to).toBe(
    '/schedule',
  );
  expect(config().schedule).toMatchObject([
    { cron: '0 7 * * 1-5', do: ['run', 'report'], sources: ['academy'] },
  ]);
  await save('/settings/schedule/0?cron=0+8+*+*+*&do=run&sources=');
  expect(config().schedule).toMatchObject([{ cron: '0 8 * * *', do: ['run'], sources: [] }]);

  await save(
    '/settings/channels/new?way=email&name=team&host=127.0.0.1&from=a%40x.example&to=b%40x.example%0Ac%40x.example',
  );
  expect(config().alerts.channels).toMatchObject([
    { name: 'team', email: { to: ['b@x.example', 'c@x.example'] } },
  ]);
  await save('/settings/channels/team?to=b%40x.example');
  expect(config().alerts.channels).toMatchObject([{ email: { host: '127.0.0.1', to: ['b@x.example'] } }]);
  expect((await page('/settings')).text).toContain('team');

  await save('/settings/schedule/0?remove=remove');
  expect(config().schedule).toEqual([]);
});

it('what would reveal a secret, clear content or write elsewhere can’t be entered', async () => {
  const { save, page, file, yaml, config } = await changingConsole({
    env: { MAIL_PASSWORD: 'MARKED0secret' },
  });
  const mail =
    '{ host: mail.example, user: ops, password: "${MAIL_PASSWORD}", from: a@x.example, to: [b@x.example] }';
  writeFileSync(file, `${yaml()}alerts: { channels: [{ name: mail, email: ${mail} }] }\n`);
  await save(
    '/settings/channels/mail?host=evil.example&user=eve&password=OTHER&from=c%40x.example&to=d%40x.example',
  );
  expect(config().alerts.channels[0]?.email).toMatchObject({
    host: 'mail.example',
    user: 'ops',
    from: 'c@x.example',
  });
  await save(
    '/settings/channels/new?way=email&name=two&host=evil.example&password=OTHER&from=a%40x.example&to=e%40x.example',
  );
  expect(config().alerts.channels[1]?.email).not.toHaveProperty('password');
  expect(yaml()).not.toContain('MARKED0secret');
  expect((await page('/settings/channels/two')).markup).not.toContain('MARKED0secret');

  const line = '/settings/schedule/new?cron=%40daily&do=run,purge,backup&olderThan=1d&folder=%2Ftmp';
  await save(line);
  expect(config().schedule).toMatchObject([{ do: ['run'] }]);
  expect(config().schedule[0]).not.toHaveProperty('folder');
});

it('a change that would give known rows new keys is confirmed in the browser before files are imported', async () => {
  const { page, save, visitor, workspace } = await changingConsole();
  workspace.drop('a.csv', csvOf([exportRow(1)]));
  await workspace.run();
  expect((await page('/files')).text).not.toContain('Confirm the settings');
  const saved = await save('/settings/sources/academy?timeZone=Asia%2FTokyo');
  expect(saved.to).toBe('/files#inboxes');
  const shown = await page('/files');
  expect(shown.text).toMatch(/timeZone was .*Europe\/Berlin.* and is .*Asia\/Tokyo/);
  expect(shown.text).toContain('Confirm the settings, import and deliver');
  workspace.drop('b.csv', csvOf([exportRow(2)]));
  await visitor.post('/run', { source: 'academy' });
  await until('the run without a confirmation has ended', () => endings(workspace).length === 2);
  expect(workspace.states()).toMatchObject({ accepted: 1 });
  await page('/files');
  expect((await read(await visitor.post('/run', { source: 'academy', confirm: 'yes' }))).to).toBe('/runs/3');
  await until('the confirmed run has delivered', () => endings(workspace).length === 3);
  expect(workspace.states()).toMatchObject({ accepted: 2 });
  expect((await page('/files')).text).not.toContain('Confirm the settings');
});

it('an environment with an outage is retried at once from the overview', async () => {
  const { page, visitor, workspace } = await changingConsole({
    sandbox: { faults: { rates: { 'server-error': 1 } } },
    environments: { main: { outage: '200ms' } },
  });
  expect((await page('/')).text).toContain('Add a source');
  workspace.drop('a.csv', csvOf([exportRow(1)]));
  await workspace.run();
  const out = await page('/');
  expect(out.markup).toContain('aria-label="Try main now"');
  expect(out.text).not.toContain('Add a source');
  expect((await visitor.post('/run', { environment: 'elsewhere' })).status).toBe(404);
  workspace.sandbox.platform.setFaults({});
  await page('/');
  expect((await read(await visitor.post('/run', { environment: 'main' }))).to).toBe('/runs/2');
  await until('the row is accepted', () => workspace.states().accepted === 1);
  await until('the run has ended', () => endings(workspace).length === 2);
  expect((await page('/')).markup).not.toContain('Try main now');
});

function endings(workspace: { query<T>(text: string): T[] }) {
  return workspace.query<{ ending: string }>('select ending from run where ended_at is not null');
}

it('from a sample to its first accepted row, without a word of YAML', async () => {
  const { url, visitor, page, yaml, workspace } = await changingConsole();
  await page('/settings');
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const content =
    'Wer;Kursnummer;Erledigt am;Ergebnis\nlearner0@example.org;C-1;03.04.2026;bestanden\nlearner1@example.org;C-2;05.04.2026;bestanden\n';
  const sent = await sendRaw(
    url,
    { cookie },
    formOf([
      ['name="token"', visitor.token],
      ['name="new"', 'skillbox'],
      ['name="operation"', 'submit-completion'],
      ['name="environment"', 'main'],
      ['name="file"; filename="april.csv"', content],
    ]),
  );
  if (sent === 'cut') throw new Error('the console cut the sample');
  const at = sent.location ?? '';
  expect([sent.status, at]).toEqual([
    303,
    expect.stringMatching(/^\/settings\/sources\/skillbox\/new\/[\w-]{32}\?/),
  ]);
  const first = await page(at);
  expect(first.text).toContain('Wer (learner0@example.org · learner1@example.org)');
  expect(first.text).toContain('It would be refused');

  const query = `${at}&column-user-id=Wer&column-completed-at=Erledigt+am&timeZone=Europe%2FVienna&dateOrder=day-first`;
  const second = await page(query);
  expect(second.text).toContain('2 staged');
  const before = yaml();
  const saved = await visitor.post(query, { fingerprint: fingerprintIn(second) });
  const to = saved.headers.get('location') ?? '';
  expect([saved.status, to]).toEqual([303, expect.stringMatching(/^\/files\/uploads\/skillbox\//)]);
  expect(
    yaml()
      .split('\n')
      .filter((line) => !before.split('\n').includes(line))
      .join('\n'),
  ).toContain('name: skillbox');
  expect(yaml()).toMatch(/^# Kept\.\n.*# The end\.\n$/s);

  expect((await page(to)).text).toContain('2 staged');
  await visitor.post(`${to}/take`, { name: 'april.csv' });
  await visitor.post('/run', { source: 'skillbox' });
  await until(
    'the rows are delivered',
    () => workspace.query("select * from submission where state = 'accepted'").length === 2,
  );
});

it('a taken name, or no name, is refused, and an unused sample is removed', async () => {
  const { url, visitor, page, workspace } = await changingConsole();
  await page('/settings');
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const send = async (name: string) => {
    const answer = await sendRaw(
      url,
      { cookie },
      formOf([
        ['name="token"', visitor.token],
        ['name="new"', name],
        ['name="operation"', 'submit-completion'],
        ['name="file"; filename="a.csv"', csvOf([exportRow(1)])],
      ]),
    );
    if (answer === 'cut') throw new Error('the console cut the sample');
    return answer;
  };
  for (const name of ['academy', '../x', '']) expect((await send(name)).status).toBeGreaterThanOrEqual(400);
  // One that is neither saved nor discarded goes by itself after a day.
  await send('left');
  const samples = () => workspace.files('inbox').filter((file) => file.startsWith('left/'));
  await tidyUploads(await workspaceContext(workspace));
  const [left = ''] = samples();
  const old = new Date(Date.now() - 2 * 86_400_000);
  utimesSync(join(workspace.root, 'inbox', left), old, old);
  await tidyUploads(await workspaceContext(workspace));
  expect(samples()).toEqual([]);
  const { location } = await send('other');
  const path = (location ?? '').split('?')[0] ?? '';
  await page(location ?? '');
  expect(workspace.files('inbox').filter((file) => file.startsWith('other/'))).toHaveLength(1);
  await visitor.post(`${path}/discard`, {});
  expect(workspace.files('inbox').filter((file) => file.startsWith('other/'))).toEqual([]);
});

it('a column of a new source is chosen whose header has two lines', async () => {
  const { url, page, save, visitor, config } = await changingConsole();
  await page('/settings');
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const sample = csvOf([exportRow(1)]).replace('Email', '"Reached\nthere"');
  const sent = await sendRaw(
    url,
    { cookie },
    formOf([
      ['name="token"', visitor.token],
      ['name="new"', 'other'],
      ['name="operation"', 'submit-completion'],
      ['name="file"; filename="a.csv"', sample],
    ]),
  );
  const at = new URL(sent === 'cut' ? '' : (sent.location ?? ''), url);
  const shown = await page(`${at.pathname}${at.search}`);
  expect(shown.markup).toContain('<option value="Reached there"');
  at.searchParams.set('column-user-id', 'Reached there');
  expect((await save(`${at.pathname}${at.search}`)).status).toBe(303);
  expect(config().sources[1]?.columns).toMatchObject({ 'user-id': 'Reached\nthere' });
  expect((await page('/files')).text).toContain('a.csv');
});

it('a word of a status is treated as completed by one link, and its file is read again', async () => {
  const { workspace, page, save, config } = await changingConsole();
  workspace.drop('may.csv', csvOf([exportRow(0, { status: 'Wohl' })]));
  await workspace.run();
  const rows = await page('/attention/rows?all=true');
  const link = /href="([^"]*\?completed=[^"]*)">Treat as completed/.exec(rows.markup)?.[1];
  expect(link).toBeDefined();
  const saved = await save((link ?? '').replaceAll('&amp;', '&'));
  expect(saved.to).toBe('/decide/restage?drop=1');
  expect(config().sources[0]?.status.completed).toEqual(['Wohl']);
  expect((await page(saved.to ?? '')).text).toContain('1 invalid row: 1 would wait to be delivered');
});

it('the address and the credentials of an environment are tested from its page', async () => {
  const { page, visitor } = await changingConsole();
  expect((await page('/settings/environments/main')).markup).toContain('Test the platform');
  const sound = await read(await visitor.post('/settings/environments/main/test', {}));
  expect([sound.status, sound.text]).toEqual([200, expect.stringContaining('main can be used')]);
  expect((await visitor.post('/settings/environments/other/test', {})).status).toBe(404);
  const back = '/settings/environments/main?paused=x';
  for (const [sent, link] of [
    [back, back],
    ['//elsewhere.example', '/'],
  ])
    expect(
      (await read(await visitor.post('/settings/environments/main/test', { back: sent ?? '' }))).markup,
    ).toContain(`<a href="${link}">Back</a>`);
  const { visitor: wrong, page: shown } = await changingConsole({
    env: { REGISTRAR_CLIENT_SECRET: 'wrong' },
  });
  await shown('/settings/environments/main');
  const refused = await read(await wrong.post('/settings/environments/main/test', {}));
  expect(refused.text).toContain('main can’t be used');
  expect(refused.markup).not.toContain('wrong');
});

it('the test of an environment reads a secret from its file, and tries the scope of a source that is to be added', async () => {
  const secret = join(tempFolder(), 'secret');
  writeFileSync(secret, CREDENTIALS.REGISTRAR_CLIENT_SECRET, { mode: 0o600 });
  const { page, visitor } = await changingConsole({
    environments: { main: { clientSecret: undefined, clientSecretFile: secret } },
    sandbox: {
      clients: [
        {
          clientId: CREDENTIALS.REGISTRAR_CLIENT_ID,
          clientSecret: CREDENTIALS.REGISTRAR_CLIENT_SECRET,
          scopes: ['completions:write'],
        },
      ],
    },
  });
  await page('/settings/environments/main');
  const tested = async (operation: string) => {
    const found = await read(await visitor.post('/settings/environments/main/test', { operation }));
    return /main (can be used|can’t be used|was not checked completely)/.exec(found.text)?.[1];
  };
  expect(await tested('')).toBe('can be used');
  expect(await tested('create-course')).toBe('can’t be used');
  expect(await tested('no-such-operation')).toBe('can be used');
});

/** What a browser sends for the form of a settings page, as it was rendered. */
function asRendered(markup: string): Record<string, string> {
  const [form = ''] = /<form method="get" action="\/settings[\s\S]*?<\/form>/.exec(markup) ?? [];
  const plain = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const fields: Record<string, string> = {};
  const add = (name = '', value = '') => {
    fields[name] = name in fields ? `${fields[name]},${plain(value)}` : plain(value);
  };
  for (const [, tag = ''] of form.matchAll(/<input ([^>]*)>/g)) {
    const isBox = tag.includes('type="checkbox"');
    if (!isBox || / checked/.test(tag))
      add(/name="([^"]*)"/.exec(tag)?.[1], /value="([^"]*)"/.exec(tag)?.[1]);
  }
  for (const [, name, text = ''] of form.matchAll(
    /<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  ))
    add(name, text.replaceAll('\n', '\r\n'));
  for (const [, name, options = ''] of form.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  ))
    add(name, /value="([^"]*)" selected/.exec(options)?.[1] ?? /value="([^"]*)"/.exec(options)?.[1]);
  return fields;
}

describe('a form that is sent as it was rendered', () => {
  const WORDS = { completed: ['Teil, ganz', 'Besucht', 'a$${Y}'], notCompleted: ['Offen'] };
  const MAIL = { host: 'mail.example.org', from: 'a@x.example', to: ['b@x.example', 'c@x.example'] };

  async function opened() {
    return changingConsole({
      sources: { academy: { status: WORDS, timeZone: 'Europe/Vienna' } },
      schedule: [{ cron: '0 6 * * *', timeZone: 'UTC', do: ['run', 'report'], sources: ['academy'] }],
      alerts: { channels: [{ name: 'ops', email: MAIL }] },
    });
  }

  it('changes nothing about a source, the schedule or a channel', async () => {
    const { page } = await opened();
    for (const path of ['/settings/sources/academy', '/settings/schedule/0', '/settings/channels/ops']) {
      const fields = asRendered((await page(path)).markup);
      expect([path, Object.keys(fields).length > 1]).toEqual([path, true]);
      const { text } = await page(`${path}?${new URLSearchParams(fields)}`);
      expect([path, text]).toEqual([path, expect.stringContaining('Nothing would change.')]);
    }
  });

  it('changes only the fields that were entered', async () => {
    const { page, save, config } = await opened();
    const path = '/settings/sources/academy';
    const fields = asRendered((await page(path)).markup);
    expect(fields.completed).toContain('Besucht\r\n');
    const words = `${fields.completed}Neu\r\n`.replace('Besucht', '');
    const changes = { ...fields, paused: 'an audit', completed: words };
    expect((await save(`${path}?${new URLSearchParams(changes)}`)).status).toBe(303);
    expect(config().sources[0]).toMatchObject({
      paused: 'an audit',
      status: { completed: ['Teil, ganz', 'a${Y}', 'Neu'], notCompleted: ['Offen'] },
    });
    const to = '/settings/channels/ops';
    const mail = { ...asRendered((await page(to)).markup), from: 'd@x.example' };
    expect((await save(`${to}?${new URLSearchParams(mail)}`)).status).toBe(303);
    expect(config().alerts.channels[0]?.email).toMatchObject({ from: 'd@x.example', to: MAIL.to });
  });
});
