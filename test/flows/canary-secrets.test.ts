import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliResult } from '../support/command-line.js';
import {
  CANARY,
  type EchoingPlatform,
  echoingPlatform,
  MANNERS,
  type Manner,
} from '../support/echoing-platform.js';
import { csvOf, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { type TestWorkspace, testWorkspace, until } from '../support/workspace.js';
import { breakInserts, ledgerText } from '../support/workspace-ledger.js';

/** Each way of writing a text down writes some of these characters in its own way. */
const SECRET_OF_VARIABLE = `${CANARY}Variable /+"&\\é%`;
const SECRET_OF_FILE = `${CANARY}File /+"&\\é%`;

it('secrets that a platform reveals in every answer are shown nowhere', async () => {
  const platform = await echoingPlatform();
  const workspace = await workspaceFor(platform, MANNERS);
  const run = await workspace.cli('run', '--verbose', '--json');
  const results = [
    run,
    await workspace.cli('rerun', '--all', '--verbose'),
    await workspace.cli('status', '--verbose', '--json'),
    await workspace.cli('report', '--verbose', '--out', join(workspace.root, 'reports')),
  ];
  // A rerun sends again the rows that were refused, and leaves alone what waits for an environment that is down.
  expect(results.map(({ code }) => code)).toEqual([4, 1, 0, 0]);
  // Twenty environments at once are no reason for a warning.
  expect(run.stderr).not.toContain('Warning');
  expect([...platform.met].sort()).toEqual([...MANNERS].sort());
  for (const result of results) expect(leaksIn(result)).toEqual([]);
  expect(filesThatLeak(workspace)).toEqual([]);
  // The check is not vacuous: the answers were kept, and each held a secret.
  const kept = workspace.query<{ body: string }>('select body from response_text where body is not null');
  expect(kept.length).toBeGreaterThan(MANNERS.length);
  expect(kept.filter(({ body }) => !body.includes('[redacted]'))).toEqual([]);
});

it('a bug with a token at hand shows its stack and no secret', async () => {
  const platform = await echoingPlatform();
  const workspace = await workspaceFor(platform, ['refused', 'accepted']);
  await workspace.cli('run', '--no-push');
  await breakInserts(workspace, 'response', 'planted');
  const result = await workspace.cli('run', '--verbose', '--json');
  expect(result.code).toBe(70);
  expect(result.stderr).toMatch(/a bug in Registrar: .*planted\n +at .*\.[jt]s:\d+/);
  expect(leaksIn(result)).toEqual([]);
  expect(filesThatLeak(workspace)).toEqual([]);
});

it('the files of a killed process contain no secret', async () => {
  const platform = await echoingPlatform();
  const workspace = await workspaceFor(platform, ['failed', 'refused']);
  const killed = workspace.start('run', '--verbose');
  await until('an answer has come', () => platform.met.size === 2);
  killed.kill('SIGKILL');
  expect(leaksIn(await killed.ended)).toEqual([]);
  if (workspace.database === null) expect(workspace.files('.')).toContain('registrar.db-wal');
  expect(filesThatLeak(workspace)).toEqual([]);
});

it('a secret in registrar.yaml itself is refused without being repeated', async () => {
  const workspace = await workspaceFor(await echoingPlatform(), ['accepted']);
  const config = join(workspace.root, 'registrar.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('${CANARY_SECRET}', `${CANARY}-in-the-open`));
  for (const result of [await workspace.cli('run', '--verbose'), await workspace.cli('status', '--json')]) {
    expect(result.code).toBe(2);
    expect(leaksIn(result)).toEqual([]);
  }
});

describe('a secret is found', () => {
  it.each<[string, (secret: string) => string]>([
    ['as is', (secret) => secret],
    ['as addresses write it', encodeURIComponent],
    ['as JSON writes it', JSON.stringify],
    ['in capitals', (secret) => secret.toUpperCase()],
    ['in hexadecimal digits', (secret) => Buffer.from(secret).toString('hex')],
    ['in base64', (secret) => Buffer.from(secret).toString('base64')],
    [
      'in base64 for addresses, behind a client id',
      (secret) => Buffer.from(`ab:${secret}`).toString('base64url'),
    ],
    ['in base64, behind a longer client id', (secret) => Buffer.from(`abcd:${secret}`).toString('base64')],
  ])('%s', (_, write) => {
    expect(leaks(`before ${write(SECRET_OF_FILE)} after`)).not.toEqual([]);
  });
});

/** A source and an environment for each manner, whose secrets come from a variable and from a file in turns. */
async function workspaceFor(platform: EchoingPlatform, manners: readonly Manner[]): Promise<TestWorkspace> {
  const file = join(tempFolder(), 'secret');
  writeFileSync(file, SECRET_OF_FILE, { mode: 0o600 });
  const secrets = [{ clientSecret: '${CANARY_SECRET}' }, { clientSecret: undefined, clientSecretFile: file }];
  const environmentOf = (manner: Manner, index: number) => [
    manner,
    { ...platform.addresses(manner), clientId: `client-${index}`, ...secrets[index % 2] },
  ];
  const workspace = await testWorkspace({
    skipReceivedCheck: 'its platform is another',
    environments: Object.fromEntries(manners.map(environmentOf)),
    sources: Object.fromEntries(manners.map((manner) => [manner, { environment: manner }])),
    env: { CANARY_SECRET: SECRET_OF_VARIABLE },
  });
  for (const manner of manners) workspace.drop('a.csv', csvOf(exportRows(2)), manner);
  return workspace;
}

function leaksIn({ stdout, stderr }: CliResult): string[] {
  return [...leaks(stdout), ...leaks(stderr)];
}

/** Every file of the workspace with a secret in it, with what is there; the ledger too where it is a database. */
function filesThatLeak(workspace: TestWorkspace): string[] {
  if (workspace.database !== null) expect(leaks(ledgerText(workspace))).toEqual([]);
  return workspace.files('.').flatMap((path) => {
    const found = leaks(readFileSync(join(workspace.root, path), 'latin1'));
    return found.map((text) => `${path}: ${text}`);
  });
}

/** The places where a secret's beginning is in some form, each with what is around it. */
function leaks(text: string): string[] {
  const marks = [...base64Marks(CANARY), CANARY, Buffer.from(CANARY).toString('hex')];
  return marks.flatMap((mark, index) => {
    // Letters of base64 mean what they are; the others may be written large or small.
    const at = index < 3 ? text.indexOf(mark) : text.toLowerCase().indexOf(mark.toLowerCase());
    return at < 0 ? [] : [text.slice(Math.max(0, at - 40), at + 60)];
  });
}

/** The part of its base64 that is the same whatever precedes and follows the text: three forms, by the offset of its first byte. */
function base64Marks(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bits = (before + text.length) * 8;
    const written = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64');
    return written.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
}
