import { describe, expect, it } from 'vitest';
import type { Archive } from '../../src/intake/open-archive.js';
import { parseWholeXml, prefixedAttribute } from '../../src/intake/parse-xml.js';

/** An archive whose every part is this text, in chunks. */
function archiveOf(xml: string, chunkBytes = 65_536): Archive {
  const bytes = Buffer.from(xml);
  return {
    has: () => true,
    async *read() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    close: () => undefined,
  };
}

/** What the handlers are told. */
async function events(xml: string, chunkBytes?: number): Promise<readonly string[]> {
  const heard: string[] = [];
  await parseWholeXml('a.xlsx', archiveOf(xml, chunkBytes), 'part.xml', {
    open: (name, attributes) => heard.push(`<${[name, ...Object.values(attributes)].join(' ')}`),
    text: (text) => heard.push(text),
    close: (name) => heard.push(`>${name}`),
  });
  return heard;
}

describe('parseXml', () => {
  it('tells elements, attributes and text', async () => {
    expect(await events('<a b="1">x &amp; y<c/></a>')).toEqual(['<a 1', 'x & y', '<c', '>c', '>a']);
  });

  it('tells the same whatever the chunks', async () => {
    const heard = await events('<a b="é😀">漢<![CDATA[<>]]></a>', 1);
    expect(heard).toEqual(await events('<a b="é😀">漢<![CDATA[<>]]></a>'));
  });

  it('drops the prefix of the root and leaves other vocabularies out', async () => {
    expect(await events('<x:a><x:b>1</x:b><y:b>2<x:c>3</x:c></y:b><b>4</b></x:a>')).toEqual([
      '<a',
      '<b',
      '1',
      '>b',
      '>a',
    ]);
  });

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /document type declaration/],
    ['an entity', '<a>&b;</a>', /not sound XML/],
    ['elements nested hundreds deep', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /not sound XML/],
    ['a text without end', `<a>${'x'.repeat(5_000_000)}</a>`, /not sound XML/],
    ['a comment without end', `<a><!--${'x'.repeat(5_000_000)}`, /not sound XML/],
    ['attributes without end', `<a ${'b'.repeat(5_000_000)}`, /not sound XML/],
    ['no element', '', /not sound XML/],
    ['an open element', '<a><b></b>', /not sound XML/],
    ['an unknown encoding', '<?xml version="1.0" encoding="klingon"?><a/>', /not sound XML/],
  ])('refuses %s', async (_, xml, message) => {
    await expect(events(xml)).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it('refuses bytes that are no text', async () => {
    const archive: Archive = {
      ...archiveOf(''),
      async *read() {
        yield Buffer.from([0x3c, 0x61, 0x3e, 0xff]);
      },
    };
    await expect(parseWholeXml('a.xlsx', archive, 'part.xml', {})).rejects.toMatchObject({
      message: expect.stringMatching(/not sound XML/),
    });
  });
});

describe('prefixedAttribute', () => {
  it('finds an attribute under any prefix, and not without one', () => {
    expect(prefixedAttribute({ id: '1', 'rel:id': '2' }, 'id')).toBe('2');
    expect(prefixedAttribute({ id: '1' }, 'id')).toBeUndefined();
  });
});
