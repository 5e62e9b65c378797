import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSharedStrings } from '../../../src/intake/workbook/rich-text.js';
import { archiveOf } from '../../support/archive-of.js';

/** The strings of a table with these items, or why it is refused. */
async function read(items: string, prefix = '', limits?: { chars: number; strings: number }) {
  const table = `<sst>${items}</sst>`.replace(/<(\/?)(?=[a-z])/gi, `<$1${prefix}`);
  return readSharedStrings('a.xlsx', archiveOf(table), 'a', limits);
}

const text = fc.constantFrom(
  'a',
  '',
  ' a ',
  '&amp;',
  'a]b',
  ']]>',
  '_x000D_',
  '漢',
  '\n',
  '\r\n',
  '\u0001',
  '&x;',
  'a>b',
);
const item = fc.oneof(
  { weight: 4, arbitrary: text.map((each) => `<si><t>${each}</t></si>`) },
  { weight: 2, arbitrary: text.map((each) => `<si><t xml:space="preserve">${each}</t></si>`) },
  text.map((each) => `<si><r><rPr><b/></rPr><t>${each}</t></r><r><t>${each}</t></r></si>`),
  text.map((each) => `<si><t>${each}</t><rPh sb="0" eb="1"><t>x</t></rPh></si>`),
  text.map((each) => `<si><t><![CDATA[${each}]]></t></si>`),
  fc.constantFrom(
    '<si/>',
    '<si></si>',
    '<si><t/></si>',
    ' ',
    '<!-- -->',
    '<extLst><si><t>x</t></si></extLst>',
  ),
);

describe('readSharedStrings', () => {
  it('reads the same whether the short cut is open to it or closed, as it is to prefixes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), async (items) => {
        const outcome = (prefix: string) =>
          read(items.join(''), prefix).catch((error: Error) => error.message);
        expect(await outcome('')).toEqual(await outcome('x:'));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['texts', { chars: 1_000, strings: 2 }],
    ['characters', { chars: 60, strings: 1_000 }],
  ])('refuses a table of more %s than its limit, and takes one that reaches it', async (_, limits) => {
    expect(await read('<si><t>first</t></si><si><t>second</t></si>', '', limits)).toEqual([
      'first',
      'second',
    ]);
    await expect(
      read('<si><t>first</t></si><si><t>second</t></si><si><t>3</t></si>', '', limits),
    ).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(/more text than fits/),
    });
  });
});
