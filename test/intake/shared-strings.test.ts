import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/intake/open-archive.js';
import { readSharedStrings } from '../../src/intake/shared-strings.js';
import { writeDrop } from '../support/open-content.js';
import { writeZip } from '../support/write-zip.js';

describe('readSharedStrings', () => {
  it.each([
    ['texts', { chars: 1_000, strings: 2 }],
    ['characters', { chars: 11, strings: 1_000 }],
  ])('refuses a table of more %s than its limit, and takes one that reaches it', async (_, limits) => {
    const read = async (items: string) => {
      const archive = await openArchive(writeDrop(writeZip([{ name: 'a', content: `<sst>${items}</sst>` }])));
      return readSharedStrings('a.xlsx', archive, 'a', limits).finally(() => archive.close());
    };
    expect(await read('<si><t>first</t></si><si><t>second</t></si>')).toEqual(['first', 'second']);
    await expect(read('<si><t>first</t></si><si><t>second</t></si><si><t>3</t></si>')).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(/more text than fits/),
    });
  });
});
