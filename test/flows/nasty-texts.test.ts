import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { testWorkspace } from '../support/workspace.js';

/** Text that would clear a screen, reverse a line, end it in every possible way, and forge the next. */
const NASTY =
  '\u001b[2J\u001b]8;;x\u0007\u0085\u009b31m\u202e\u2066\u200b\u2028\u2029\ufeff\r\nThe books balance: FORGED\n.';

const NOT_SHOWN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A platform that refuses with such words every record of a bad learner. Returns its address. */
async function nastyPlatform(): Promise<string> {
  const server = createServer(async (request, response) => {
    const isToken = request.url === '/oauth/token';
    const body = await text(request);
    const isBad = /bad|unknown/.test(body);
    const words = (what: string) => `${what}${NASTY} of bad@example.com`;
    const error = {
      id: words('id'),
      code: words('code'),
      title: words('title'),
      detail: words(body.includes('unknown') ? 'Invalid user identifier' : 'detail'),
    };
    response.writeHead(isToken ? 200 : isBad ? 400 : 201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isToken ? { access_token: 'token' } : isBad ? { errors: [error] } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a name, a cell or an answer is shown everywhere, and nowhere executed or mistaken for a line of Registrar’s', async () => {
  const url = await nastyPlatform();
  const workspace = await testWorkspace({
    environments: { main: { baseUrl: url, authUrl: url } },
    skipReceivedCheck: 'the platform is another one',
  });
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const header = ['Email', 'Course ID', 'Completion date', 'Status', quoted(`Title${NASTY}`)].join(',');
  const row = (email: string, date: string) =>
    [email, 'C-1', date, 'Completed', quoted(`cell${NASTY}`)].join(',');
  const file = `a${NASTY}csv`;
  workspace.drop(
    file,
    [
      header,
      row('ok@example.com', '2024-03-01'),
      row('bad@example.com', '2024-03-01'),
      row('unknown@example.com', '2024-03-01'),
      row('x@example.com', quoted(`date${NASTY}`)),
    ].join('\n'),
  );
  workspace.drop(`b${NASTY}csv`, `Name,${quoted(`Colour${NASTY}`)}\nAnn,${quoted(NASTY)}\n`);
  workspace.drop(`c${NASTY}xyz`, 'nobody takes it');

  const run = await workspace.cli('run', '--verbose');
  expect(run.code).toBe(1);
  const path = join(workspace.root, 'archive', workspace.files('archive')[0] ?? '');
  const outputs = await Promise.all(
    [
      ['report', '--format', 'terminal,html,json'],
      ['report', '--json'],
      ['status'],
      ['map'],
      ['trace', '#2', '--verbose'],
      ['inspect', path],
      ['check', path, '--source', 'academy'],
      ['rerun', '--all', '--dry-run'],
      ['dismiss', '--all', '--dry-run'],
      ['doctor', '--offline'],
      ['restage', file],
      ['inspect', `${path}${NASTY}`],
    ].map(async (args) => ({ door: args.join(' '), ...(await workspace.cli(...args)) })),
  );
  const files = workspace
    .files('reports')
    .filter((name) => /\.(?:txt|html|json)$/.test(name))
    .map((name) => join('reports', name));
  const reasons = workspace
    .files('rejected')
    .filter((name) => name.endsWith('.reason.txt'))
    .map((name) => join('rejected', name));
  const texts = [
    ['run', run.stdout],
    ['log', run.stderr],
    ...outputs.flatMap(({ door, stdout, stderr }) => [
      [door, stdout],
      [`${door}, stderr`, stderr],
    ]),
    ...[...files, ...reasons].map((name) => [name, readFileSync(join(workspace.root, name), 'utf8')]),
  ] as const;
  for (const [door = '', shown = ''] of texts) {
    expect({ door, found: NOT_SHOWN.exec(shown)?.[0] }).toEqual({ door, found: undefined });
    expect({ door, forged: /^\W*The books balance: FORGED/m.test(shown) }).toEqual({ door, forged: false });
  }
  const silent = texts
    .filter(([, shown = '']) => shown !== '' && !/\\u001b\[2J/.test(shown))
    .map(([door = '']) => door);
  expect(silent).toEqual([]);
  expect(run.stderr).not.toContain('bad@example.com');
  expect(JSON.parse(outputs[1]?.stdout ?? '').files[0].file).toBe(file);
});
