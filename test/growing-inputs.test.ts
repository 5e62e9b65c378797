import { describe, expect, it } from 'vitest';
import type { SourceConfig } from '../src/config/schema.js';
import { globMatcher } from '../src/config/values/glob.js';
import { alterationOf } from '../src/domain/text/alteration.js';
import { mentionsOf } from '../src/domain/text/mentions.js';
import { isPathSegment } from '../src/domain/text/path-segment.js';
import { visibleText } from '../src/domain/text/visible-text.js';
import { freshFiles } from '../src/inbox/listing.js';
import { remoteInboxOf } from '../src/inbox/remote-inbox.js';
import { classify } from '../src/platform/answers/classify.js';
import { redact } from '../src/platform/answers/redact.js';
import { readResponse } from '../src/platform/answers/response.js';
import { shellWord } from '../src/report/text/command-line.js';
import { csvLine } from '../src/report/text/csv-line.js';
import { textTable } from '../src/report/text/layout.js';
import { maskAddresses, maskQuoted, maskRefusal, maskText } from '../src/report/words/mask.js';
import { isSameCell } from '../src/staging/correct/merged-cells.js';
import { fitFileName } from '../src/workspace/files/file-name.js';
import { normaliseFile, sourceWith } from './normalise/builders.js';
import { COMPLETION } from './platform/fixtures.js';
import { isLinear } from './support/growth.js';

/** Repeated parts of a text from outside: each is the worst case of some reader. */
const PIECES = [
  'a',
  'A',
  '0',
  ' ',
  '-',
  '.',
  ',',
  ';',
  '"',
  "'",
  '(',
  '/',
  '\\',
  '%',
  '%25',
  '&#0',
  '\n',
  '\u202e',
  'é',
  '😀',
  'a@',
  '@a.',
  'a.',
  '1/',
  '1 ',
  ': ',
  '(a+)*$',
  'Completed ',
];

/** The pieces that, repeated, take a reader more than time in proportion. */
function slowOn(read: (text: string) => unknown): string[] {
  return PIECES.filter((piece) => {
    const texts = new Map([2_000, 8_000].map((size) => [size, `${piece.repeat(size / piece.length)}\u0001`]));
    return !isLinear((size) => read(texts.get(size) ?? ''), 2_000);
  });
}

describe('a file', () => {
  const HEADER = ['Email', 'Course ID', 'Completed on', 'Score', 'Status', 'Comment'];
  const GOOD = ['ann@example.com', 'C1', '2024-03-01', '85', 'Completed', ''];
  const source = sourceWith({ timeZone: 'UTC' });

  it.each(HEADER.map((name, column) => ({ name, column })))(
    'with a cell of any length under $name is read in linear time',
    ({ column }) => {
      expect(slowOn((cell) => normaliseFile([HEADER, GOOD, GOOD.with(column, cell)], source))).toEqual([]);
    },
  );

  it('with a header of any length is read in linear time', () => {
    expect(
      slowOn((name) =>
        normaliseFile(
          [
            [...HEADER, name],
            [...GOOD, ''],
          ],
          source,
        ),
      ),
    ).toEqual([]);
  });

  it('with a line of any length above its header is read in linear time', () => {
    expect(slowOn((line) => normaliseFile([[line], HEADER, GOOD], source))).toEqual([]);
  });
});

describe('an answer', () => {
  const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const head = { 'content-type': 'application/json', ...headers };
    const response = readResponse(
      { status, headers: head, text, complete: true },
      ['s3cret-s3cret'],
      ['ann@x.org'],
    );
    return classify(COMPLETION, response, 'reject');
  };

  it.each(['id', 'code', 'title', 'detail', 'source'])(
    'with a %s of any length is classified in linear time',
    (member) => {
      expect(
        slowOn((text) => answer(400, { errors: [{ detail: `no ${text} here`, [member]: text }] })),
      ).toEqual([]);
    },
  );

  it.each(['content-type', 'retry-after', 'date'])(
    'with a header %s of any length is classified in linear time',
    (name) => {
      expect(slowOn((text) => answer(429, { errors: [] }, { [name]: text }))).toEqual([]);
    },
  );

  it.each([200, 400])('of %d with a body of any length is classified in linear time', (status) => {
    expect(slowOn((text) => answer(status, text))).toEqual([]);
  });

  it.each(['[', '{"a":', '{"errors":[', '{"errors":{"a":'])(
    'that nests any number of %s is classified in linear time',
    (open) => {
      const nested = (size: number) => {
        const close = [...open]
          .reverse()
          .map((sign) => ({ '[': ']', '{': '}' })[sign] ?? '')
          .join('');
        return open.repeat(size) + 1 + close.repeat(size);
      };
      expect(isLinear((size) => answer(400, `{"errors":[{"detail":${nested(size)}}]}`), 2_000)).toBe(true);
      expect(answer(400, `{"errors":[{"detail":${nested(20_000)}}]}`)).toMatchObject({ kind: 'rejected' });
      expect(answer(400, nested(20_000))).toMatchObject({ kind: 'rejected' });
    },
  );
});

it('a listing takes linear time for any number of files, fetched before or not', () => {
  const remote = remoteInboxOf({
    ...sourceWith({ timeZone: 'UTC' }),
    inbox: { sftp: { host: 'files.example.com', port: 22, folder: '/out' } },
  } as unknown as SourceConfig);
  if (remote === null) throw new Error('the source has no remote inbox');
  const files = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ name: `${at}.csv`, version: `${at}`, sizeBytes: 1, modifiedAt: '2024-01-01T00:00:00.000Z' },
      isPublished: true,
    }));
  const lists = new Map([2_000, 8_000].map((count) => [count, [files(count * 2), files(count)] as const]));
  expect(isLinear((count) => freshFiles(remote, ...(lists.get(count) ?? [[], []])), 2_000)).toBe(true);
});

it.each<[string, (text: string) => unknown]>([
  ['is masked', maskText],
  ['has its addresses masked', maskAddresses],
  ['has what it quotes masked', maskQuoted],
  ['is the reason why a file is refused', maskRefusal],
  ['holds secrets', (text) => redact(text, ['s3cret-s3cret', 'a%25b&amp;\\\\ c', `${'ab'.repeat(500)}c`])],
  ['ends within a secret', (text) => redact(text, ['s3cret-s3cret', `${'ab'.repeat(500)}c`], true)],
  ['is looked through for a person', (text) => mentionsOf(['ann@x.org', '42', text.slice(1)]).inFile(text)],
  ['is written for a spreadsheet', (text) => csvLine([text])],
  ['is compared with a corrected cell', (text) => isSameCell(text, `${text} `)],
  ['came back altered', (text) => alterationOf(`${text}ü${text}`, `${text}?${text}`)],
  ['came back altered in each letter', (text) => alterationOf(text.replace(/./gu, 'ü$&'), text)],
  ['is shown', visibleText],
  ['is shown in a table', (text) => textTable(['A', 'B'], [[text, text]], 80)],
  ['is quoted in a command', shellWord],
  ['is checked as a segment of a path', isPathSegment],
  ['names a file', (text) => fitFileName('1-', text, '.csv')],
  ['names a file that a source may take', globMatcher('*{a,b}*.csv')],
])('in linear time, a text of any length %s', (_, read) => {
  expect(slowOn(read)).toEqual([]);
});
