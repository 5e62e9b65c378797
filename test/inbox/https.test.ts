import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largeCsv } from '../support/exports.js';
import { httpsServer } from '../support/https-server.js';
import { sampled, samples } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort } from '../support/sftp-server.js';
import { type TestWorkspace, testWorkspace, textOf, until } from '../support/workspace.js';
import { conditional, csv, readerOf } from './https-setup.js';

/** The subject of a line of the channel's file. */
function alertsIn(line: string): string[] {
  const { alerts } = JSON.parse(line) as { alerts: Readonly<Record<string, string>>[] };
  return alerts.map(({ event, subject, code }) => [event, subject, code].join(' '));
}

const arrivals = (workspace: TestWorkspace) =>
  workspace.query<{ n: number }>('select count(*) as n from arrival')[0]?.n;

describe('the file at an address', () => {
  it.each(['etag', 'date'] as const)('is fetched once, and again when its %s changes', async (by) => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    server.answer(conditional(csv(3), by));
    const { code, report } = await workspace.run();
    expect([code, report.states.accepted]).toEqual([0, 3]);
    expect(workspace.files('archive')).toEqual(['academy/1-march.csv']);
    expect((await workspace.run()).report.rows).toBe(0);
    // What an ETag names is looked at twice.
    expect(server.requests).toHaveLength(by === 'etag' ? 3 : 2);
    expect(arrivals(workspace)).toBe(1);
    server.answer(conditional(csv(4), by));
    expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 1, duplicate: 3 });
    expect((await workspace.run()).report.rows).toBe(0);
    expect(arrivals(workspace)).toBe(2);
  });

  it('that has neither is new only if its bytes differ', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    const sends = (text: string) => server.answer((_, response) => void response.end(text));
    sends(csv(2));
    await workspace.run();
    await workspace.run();
    expect(arrivals(workspace)).toBe(1);
    sends(csv(3));
    await workspace.run();
    await workspace.run();
    expect(arrivals(workspace)).toBe(2);
    expect(workspace.states()).toEqual({ accepted: 3 });
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('that grows is left until two checks find the same, and then comes in whole', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    let rows = 1;
    server.answer((_, response) => {
      rows += 1;
      response.writeHead(200, { etag: `"${rows}"`, 'content-length': csv(rows).length }).end(csv(rows));
    });
    const growing = await workspace.run();
    expect([growing.code, growing.report.rows]).toEqual([0, 0]);
    expect(workspace.files('inbox')).toEqual([]);
    server.answer(conditional(csv(rows), 'etag'));
    expect((await workspace.run()).report.dispositions.staged).toBe(rows);
    expect(arrivals(workspace)).toBe(1);
  });

  it('that is generated for each answer, dated by it, need not rest', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    let second = 0;
    server.answer((_, response) => {
      second += 1;
      const modified = new Date(1_700_000_000_000 + second * 1_000).toUTCString();
      response.writeHead(200, { 'last-modified': modified }).end(csv(2));
    });
    expect((await workspace.run()).report.dispositions.staged).toBe(2);
    expect((await workspace.run()).report.rows).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
  });

  it('may be generated while it is sent, packed, and renamed here', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server, {
      url: `https://127.0.0.1:${server.port}/export?id=7`,
      file: 'all.gz',
    });
    const packed = gzipSync(csv(500));
    server.answer((request, response) => {
      expect(request.url).toBe('/export?id=7');
      response.write(packed.subarray(0, 10));
      response.end(packed.subarray(10));
    });
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(500);
    expect(workspace.files('archive')).toEqual(['academy/1-all.gz']);
  });

  it('is requested with a token or an account from the environment, which nothing shows', async () => {
    const server = await httpsServer();
    const accounts = {
      academy: [{ token: '${REGISTRAR_INBOX_SECRET}' }, 'Bearer s3cret'],
      campus: [{ user: 'lms', password: '${REGISTRAR_INBOX_SECRET}' }, `Basic ${btoa('lms:s3cret')}`],
    } as const;
    const sourceOf = (name: keyof typeof accounts) => {
      const url = `https://127.0.0.1:${server.port}/out/${name}.csv`;
      return { inbox: { https: { ...server.settings, url, ...accounts[name][0] } } };
    };
    const workspace = await testWorkspace({
      sources: { academy: sourceOf('academy'), campus: sourceOf('campus') },
      env: { REGISTRAR_INBOX_SECRET: 's3cret' },
    });
    server.answer((request, response) => {
      const name = request.url?.includes('academy') ? 'academy' : 'campus';
      const from = name === 'academy' ? 0 : 10;
      if (request.headers.authorization === accounts[name][1])
        conditional(csv(2, from), 'etag')(request, response);
      else response.writeHead(401).end();
    });
    const { code, stdout, stderr } = await workspace.run('--verbose');
    expect(code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 4 });
    expect(stdout + stderr).not.toContain('s3cret');
    for (const name of Object.keys(accounts)) {
      const test = await workspace.cli('source', 'test', name);
      expect([name, test.code, test.stdout]).toEqual([
        name,
        0,
        expect.stringContaining('lets files be read'),
      ]);
    }
  });

  it('that is larger than the source takes is reported, and left', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    setSources(workspace, { largestFile: '1kB' });
    server.answer((_, response) => {
      response.write(csv(50));
      response.end(csv(50));
    });
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect((report as unknown as { unmatched: object[] }).unmatched).toMatchObject([
      { code: 'not-read', reason: 'is larger than 1 kB' },
    ]);
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('is requested by a service as often as poll says', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server, { poll: '100ms' });
    server.answer(conditional(csv(2), 'etag'));
    const service = workspace.begin('schedule');
    await until('all rows are accepted', () => workspace.posts() >= 2 && workspace.states().accepted === 2);
    server.answer(conditional(csv(3), 'etag'));
    await until('the new row is accepted', () => workspace.posts() >= 3 && workspace.states().accepted === 3);
    service.stop();
    await service.ended;
    expect(arrivals(workspace)).toBe(2);
  });
});

describe('an address that can not be used', () => {
  it.each<[string, number, Record<string, string>, number, string]>([
    [
      'redirects',
      302,
      { location: 'https://elsewhere.example/secret?key=1' },
      2,
      'a redirect to elsewhere.example, which is not followed',
    ],
    ['refuses the account', 401, {}, 4, "it doesn't accept the account"],
    ['has no file', 404, {}, 74, 'there is no such file'],
    ['fails', 500, {}, 74, 'with HTTP 500'],
  ])('because it %s is an outage of its source', async (_, status, headers, exit, words) => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    server.answer((_, response) => void response.writeHead(status, headers).end());
    const { code, stderr } = await workspace.run();
    expect(code).toBe(exit);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('secret');
    expect((await workspace.cli('status')).stdout.replace(/\s+/g, ' ')).toContain(words);
    server.answer(conditional(csv(2), 'etag'));
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
  });

  it('because its certificate is not trusted gets no secret', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server, { caFile: undefined });
    server.answer(conditional(csv(2), 'etag'));
    const { code, stderr } = await workspace.run();
    expect(code).toBe(74);
    expect(stderr).toContain(
      'its certificate is of an unknown authority; name the authority’s file in caFile',
    );
    expect(server.requests).toEqual([]);
  });

  it('because it is away is an outage that ends by itself', async () => {
    const server = await httpsServer();
    const workspace = await readerOf(server);
    await server.stop();
    const { code, stderr } = await workspace.run();
    expect(code).toBe(74);
    expect(stderr).toContain("of source academy can't be reached: it refuses the connection");
  });

  it('is notified once, however often it is checked, and so is its end', async () => {
    const server = await httpsServer();
    const file = 'alerts.jsonl';
    const workspace = await testWorkspace({
      sources: { academy: { inbox: { https: server.settings } } },
      alerts: { recoverAfter: '0s', channels: [{ name: 'log', file }] },
    });
    server.answer((_, response) => void response.writeHead(503).end());
    for (let run = 0; run < 3; run += 1) await workspace.run();
    server.answer(conditional(csv(2), 'etag'));
    for (let run = 0; run < 2; run += 1) await workspace.run();
    const notifications = textOf(workspace, file).trim().split('\n').flatMap(alertsIn);
    expect(notifications).toEqual(['opened academy inbox-away', 'recovered academy inbox-away']);
  });

  it('because it breaks off at any byte costs no row, and no half file comes in', async () => {
    const server = await httpsServer();
    const text = largeCsv(50);
    // As the answer begins, and within it.
    const places = [...sampled([500, 2_000]), ...sampled([60_000, 450_000])];
    const examples = places.map((bytes): [number, boolean] => [bytes, false]);
    const isBroken = fc.asyncProperty(
      fc.integer({ min: 0, max: 500_000 }),
      fc.boolean(),
      async (bytes, hasLength) => {
        server.answer((_, response) => {
          if (hasLength) response.setHeader('content-length', text.length);
          response.write('');
          response.end(text);
        });
        const port = await cuttingPort(server.port, bytes);
        const workspace = await readerOf(server, { url: `https://127.0.0.1:${port}/out/march.csv` });
        const broken = await workspace.run('--no-push');
        expect([broken.code, broken.report.rows]).toEqual([74, 0]);
        expect(workspace.files('inbox')).toEqual([]);
        setSources(workspace, { inbox: { https: server.settings } });
        expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(50);
      },
    );
    await fc.assert(isBroken, { examples, numRuns: examples.length + samples(4) });
  });

  it('without a file, of another file, in plain text, with two or half an account or a secret is a mistake', async () => {
    const mistakes: readonly (readonly [object, string])[] = [
      [{ url: 'https://files.example.com/' }, 'file is missing: file name in the inbox'],
      [{ url: 'https://files.example.com/a.pdf' }, "fetches a.pdf, which match of the source doesn't cover"],
      [{ url: 'http://files.example.com/a.csv' }, 'must begin with https://'],
      [
        { url: 'https://x.example/a.csv', token: '${T}', user: 'a', password: '${T}' },
        'needs token, or both user and password',
      ],
      [{ url: 'https://x.example/a.csv', user: 'a' }, 'needs token, or both user and password'],
      [{ url: 'https://x.example/a.csv', token: 'abc' }, 'must be a reference such as ${REGISTRAR_SECRET}'],
    ];
    const sources = Object.fromEntries(mistakes.map(([https], at) => [`source-${at}`, { inbox: { https } }]));
    const workspace = await testWorkspace({ sources, env: { T: 'x' } });
    const { code, stderr } = await workspace.cli('run');
    expect(code).toBe(2);
    const messages = mistakes.map((_, at) =>
      stderr
        .split('\n')
        .filter((line) => line.includes(`sources[${at}]`))
        .join('\n'),
    );
    expect(messages).toEqual(mistakes.map(([, words]) => expect.stringContaining(words)));
  });
});
