import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/domain/clock.js';
import { testConsole, type Visitor } from './console.js';
import { consoleSettings } from './console-settings.js';
import { fingerprintIn } from './peopled-console.js';
import { formOf, sendRaw, uploadParts } from './sent-file.js';
import { tempFolder } from './temp-folder.js';
import { type PlatformWords, wordyPlatform } from './wordy-platform.js';
import { workbookParts } from './workbook-parts.js';
import { type TestWorkspace, testWorkspace, until } from './workspace.js';
import { workspaceContext } from './workspace-context.js';
import { writeZip } from './write-zip.js';

/** The texts of a workspace, one for each place where people or platforms write. */
export interface Words {
  /** Names of files; they end with `.csv` and the like. */
  readonly file: string;
  readonly sheet: string;
  readonly content: string;
  /** Of columns that feed no field. */
  readonly header: string;
  readonly cell: string;
  /** Before and behind the @ of addresses; and an identifier that is no address. */
  readonly local: string;
  readonly domain: string;
  readonly identifier: string;
  readonly reason: string;
  readonly operator: string;
  readonly group: string;
  readonly platform: PlatformWords;
}

/** Harmless words without personal data. */
export const PLAIN_WORDS: Words = {
  file: 'march',
  sheet: 'Completions',
  content: 'C-1',
  header: 'Place',
  cell: 'Somewhere',
  local: 'l',
  domain: 'example.org',
  identifier: 'number one',
  reason: 'so',
  operator: 'ada',
  group: 'office',
  platform: { detail: 'No', title: 'No', code: 'bad-request', source: '/', id: '1' },
};

/** Numbers and names of everything that the console has an address for. */
export interface Known {
  readonly drops: readonly number[];
  readonly runs: readonly number[];
  readonly submissions: readonly number[];
  readonly decisions: readonly number[];
  /** `3:217` */
  readonly rows: readonly string[];
  readonly uploads: readonly string[];
  readonly sources: readonly string[];
}

/** A person whom the proxy names. */
export type As = (name: string) => Visitor;

/**
 * A console behind a proxy, with these words in every place: files of both kinds, rows that were accepted, refused, are about unknown
 * learners or are no record, refused files, an upload, and each decision that people make. `otto` is an auditor, `vera` a
 * viewer.
 */
export async function wordedConsole(words: Words) {
  const kept = KEPT.get(words);
  const root = tempFolder();
  if (kept !== undefined) writeFolder(root, kept.entries);
  const platform = await wordyPlatform(words.platform);
  const workspace = await testWorkspace({
    root,
    environments: { main: { baseUrl: platform.url, authUrl: platform.url } },
    skipReceivedCheck: 'another platform takes the records',
  });
  if (kept === undefined) {
    dropAll(workspace, words);
    await workspace.run();
  }
  const own = await workspaceContext(workspace);
  const settings = consoleSettings({
    proxy: { addresses: ['127.0.0.1'], userHeader: 'X-Forwarded-User' },
    roles: { operator: [words.operator, `group:${words.group}`], auditor: ['otto'], viewer: ['vera'] },
    largestUpload: '1MB',
  });
  const context = { ...own, clock: systemClock(), config: { ...own.config, console: settings } };
  const served = await testConsole(() => context);
  const as: As = (name) => named(served.visitor(), name);
  const uploads = kept?.uploads ?? (await decideAndUpload(as(words.operator), served.url, words, workspace));
  if (kept === undefined) KEPT.set(words, { uploads, entries: readFolder(root) });
  return { ...served, workspace, context, as, known: () => ({ ...knownOf(workspace), uploads }) };
}

/** The folder of the first console with these words, which those after it begin with. */
const KEPT = new Map<Words, { readonly uploads: readonly string[]; readonly entries: readonly Entry[] }>();

/** A file or folder; null: it is a folder. */
interface Entry {
  readonly path: string;
  readonly bytes: Buffer | null;
  readonly changedAt: Date;
}

function readFolder(root: string): readonly Entry[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('-shm'))
    .sort()
    .map((path) => {
      const stats = statSync(join(root, path));
      const bytes = stats.isDirectory() ? null : readFileSync(join(root, path));
      return { path, bytes, changedAt: stats.mtime };
    });
}

function writeFolder(root: string, entries: readonly Entry[]): void {
  for (const { path, bytes, changedAt } of entries) {
    const to = join(root, path);
    if (bytes === null) mkdirSync(to);
    else {
      writeFileSync(to, bytes, { mode: 0o600 });
      utimesSync(to, changedAt, changedAt);
    }
  }
}

/** @returns the identifiers of the uploads. */
async function decideAndUpload(
  operator: Visitor,
  url: string,
  words: Words,
  workspace: TestWorkspace,
): Promise<readonly string[]> {
  await decideAll(operator, words, () => knownOf(workspace));
  await until(
    'the rows that were sent again are delivered',
    () => workspace.query('select 1 from run where ended_at is null').length === 0,
  );
  await operator.get('/files');
  const parts = uploadParts(operator.token, `${words.file}.csv`, csvOf(words, 'uploaded'));
  const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
  const sent = await sendRaw(url, { cookie, 'x-forwarded-user': words.operator }, formOf(parts));
  if (sent === 'cut' || sent.location === null) throw new Error('the upload was not taken');
  return [sent.location.replace('/files/uploads/academy/', '')];
}

/** The same visitor, whom the proxy names with each request. */
function named(visitor: Visitor, name: string): Visitor {
  const header = { 'x-forwarded-user': name };
  return {
    get: (path, headers = {}) => visitor.get(path, { ...header, ...headers }),
    post: (path, fields, headers = {}) => visitor.post(path, fields, { ...header, ...headers }),
    get token() {
      return visitor.token;
    },
    cookies: visitor.cookies,
  };
}

const HEADER = ['Email', 'Course ID', 'Completed on', 'Status'];

function csvOf({ local, domain, content, header, cell, identifier }: Words, kind: string): string {
  const at = '2024-01-05 08:00:00';
  const learner = (more: string) => `${local}.${more}@${domain}`;
  const rows = [
    [...HEADER, header],
    [learner(`${kind}1`), content, at, 'Completed', cell],
    [learner(`${kind}refused`), content, at, 'Completed', cell],
    [learner(`${kind}refused2`), content, '2024-01-06 08:00:00', 'Completed', cell],
    [learner(`${kind}unknown`), content, at, 'Completed', cell],
    [learner(`${kind}unknowm`), content, at, 'Completed', cell],
    [`${learner(kind)} ${identifier}`, content, at, 'Completed', cell],
    [learner(`${kind}3`), content, `${identifier} ${cell}`, 'Completed', cell],
    [learner(`${kind}4`), '', at, `${cell}`, cell],
    [learner(`${kind}5`), content, at, cell, cell],
    [learner(`${kind}unknown2`), content, at, 'Completed', cell],
  ];
  return rows.map((row) => row.map(quoted).join(',')).join('\n');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function dropAll(workspace: TestWorkspace, words: Words): void {
  const { file, sheet, header, cell, local, domain, content, identifier } = words;
  workspace.drop(`${file}.csv`, csvOf(words, 'first'));
  const line = (texts: readonly string[]) =>
    `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${xml(text)}</t></is></c>`).join('')}</row>`;
  const at = '2024-02-05 08:00:00';
  const rows = [
    line([...HEADER, header]),
    line([`${local}.book@${domain}`, content, at, 'Completed', cell]),
    line([`${local}.bookrefused@${domain}`, content, at, 'Completed', cell]),
    line([`${local} ${identifier}`, content, at, 'Completed', cell]),
  ];
  // Excel itself takes none of these characters, and no more than 31.
  const name = xml(sheet).slice(0, 400);
  workspace.drop(`${file}.xlsx`, writeZip(workbookParts({ sheets: [{ name, rows: rows.join('') }] })));
  workspace.drop(
    `aside ${file}.csv`,
    `${quoted(`${local}@${domain}`)};${quoted(cell)}\n${quoted(identifier)};x\n`,
  );
  workspace.drop(
    `lone ${file}.csv`,
    `${quoted(`${local}@${domain}`)},${quoted(cell)},Email,Email\n${identifier},2,3,4\n`,
  );
}

function xml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

/** Each decision that people make, with a reason. */
async function decideAll(
  operator: Visitor,
  { local, domain, reason }: Words,
  known: () => Omit<Known, 'uploads'>,
) {
  const old = `${local}.firstunknown@${domain}`.toLowerCase();
  await decide(
    operator,
    `/decide/map?${new URLSearchParams({ old, new: `${local}.other@${domain}` })}`,
    reason,
  );
  const [drop = 0] = known().drops;
  await decide(operator, `/decide/dismiss?rows=${encodeURIComponent(`${drop}:8`)}`, reason);
  await decide(operator, '/decide/dismiss?drop=3', reason);
  await decide(operator, `/decide/restage?drop=${drop}`, reason);
  await decide(operator, '/decide/rerun?states=rejected', reason);
}

/** Sends the form under a plan as it is shown. */
async function decide(operator: Visitor, path: string, because: string): Promise<void> {
  const fingerprint = fingerprintIn({ markup: await (await operator.get(path)).text() });
  await operator.post(path, { fingerprint, because });
}

function knownOf(workspace: TestWorkspace): Omit<Known, 'uploads'> {
  const numbers = (sql: string) => workspace.query<{ n: number }>(sql).map(({ n }) => n);
  const drops = numbers('select drop_id as n from drop_file order by 1');
  return {
    drops,
    runs: numbers('select run_id as n from run order by 1'),
    submissions: numbers('select submission_id as n from submission order by 1'),
    decisions: numbers('select decision_id as n from decision order by 1'),
    sources: ['academy'],
    // One of each kind; of a refused file none is known.
    rows: [
      ...workspace
        .query<{ row: string }>(
          "select drop_id || ':' || line as row from row where line in (2, 3, 5, 7, 8, 9, 10, 11) order by drop_id, line",
        )
        .map(({ row }) => row),
      ...drops.slice(2).map((drop) => `${drop}:2`),
    ],
  };
}
