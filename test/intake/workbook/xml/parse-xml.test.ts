import { describe, expect, it } from 'vitest';
import {
  parseSmallXml,
  parseXml,
  prefixedAttribute,
  type XmlHandlers,
} from '../../../../src/intake/workbook/xml/parse-xml.js';
import type { Archive } from '../../../../src/intake/zip-entries.js';
import { archiveOf } from '../../../support/archive-of.js';

type Parse = (archive: Archive, handlers: XmlHandlers) => Promise<void>;

const PARSERS: readonly (readonly [string, Parse])[] = [
  ['a large part', readLarge],
  ['a small part', (archive, handlers) => parseSmallXml('a.xlsx', archive, 'part.xml', handlers)],
];

async function readLarge(archive: Archive, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parseXml('a.xlsx', archive, 'part.xml', handlers));
}

/** The events that the handlers receive, text in one piece. */
async function events(
  parse: Parse,
  content: string | Buffer,
  chunkBytes?: number,
): Promise<readonly string[]> {
  const reported: string[] = [];
  let text = '';
  const report = (event: string) => {
    if (text !== '') reported.push(text);
    text = '';
    reported.push(event);
  };
  await parse(archiveOf(content, chunkBytes), {
    open: (name, attributes) => report(`<${[name, ...attributes.values()].join(' ')}`),
    text: (piece) => {
      text += piece;
    },
    close: (name) => report(`>${name}`),
  });
  return reported;
}

describe.each(PARSERS)('%s', (_, parse) => {
  it('reports elements, attributes and text', async () => {
    expect(await events(parse, '<a b="1">x &amp; y<c/></a>')).toEqual(['<a 1', 'x & y', '<c', '>c', '>a']);
  });

  it('reports the same whatever the chunks', async () => {
    const inPieces = await events(parse, '<a b="é😀">漢<![CDATA[<>]]></a>', 1);
    expect(inPieces).toEqual(await events(parse, '<a b="é😀">漢<![CDATA[<>]]></a>'));
  });

  it.each([
    [
      'drops the prefix of the root and leaves other vocabularies out',
      '<x:a><x:b>1</x:b><y:b>2<x:c>3</x:c></y:b><b>4</b></x:a>',
      ['<a', '<b', '1', '>b', '>a'],
    ],
    [
      'knows the vocabulary by its namespace, not by its prefix',
      '<x:a xmlns:x="urn:m" xmlns="urn:m"><b/><y:b xmlns:y="urn:m"/><x:c/></x:a>',
      ['<a urn:m urn:m', '<b', '>b', '<b urn:m', '>b', '<c', '>c', '>a'],
    ],
    [
      'leaves out what declares another namespace under no prefix',
      '<a xmlns="urn:m"><b xmlns="urn:e"><c/></b><c/></a>',
      ['<a urn:m', '<c', '>c', '>a'],
    ],
    [
      'forgets what an element declared when the element ends',
      '<a xmlns="urn:m"><e:b xmlns:e="urn:m"/><e:c/><d/></a>',
      ['<a urn:m', '<b urn:m', '>b', '<d', '>d', '>a'],
    ],
    [
      'forgets what an element that is left out declared',
      '<a xmlns="urn:m"><e:b xmlns:e="urn:e" xmlns="urn:e"/><d/></a>',
      ['<a urn:m', '<d', '>d', '>a'],
    ],
  ])('%s', async (_, xml, expected) => {
    expect(await events(parse, xml)).toEqual(expected);
  });

  it.each([
    ['UTF-8 that begins late', Buffer.from(`<a>${'x'.repeat(100)}漢</a>`)],
    ['a byte-order mark within', Buffer.from('<a>x\ufeffy</a>')],
  ])('keeps every character of %s, whatever the chunks', async (_, bytes) => {
    const text = bytes.toString().slice('<a>'.length, -'</a>'.length);
    for (const chunkBytes of [1, 2, 3, 5, 100]) {
      expect(await events(parse, bytes, chunkBytes)).toEqual(['<a', text, '>a']);
    }
  });

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /document type declaration/],
    ['an entity', '<a>&b;</a>', /not well-formed XML/],
    ['elements nested hundreds deep', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /not well-formed XML/],
    [
      'foreign elements nested hundreds deep',
      `<a>${'<b:a>'.repeat(300)}${'</b:a>'.repeat(300)}</a>`,
      /not well-formed XML/,
    ],
    ['a text without end', `<a>${'x'.repeat(5_000_000)}</a>`, /not well-formed XML/],
    ['a comment without end', `<a><!--${'x'.repeat(5_000_000)}`, /not well-formed XML/],
    ['attributes without end', `<a ${'b'.repeat(5_000_000)}`, /not well-formed XML/],
    ['no element', '', /not well-formed XML/],
    ['an open element', '<a><b></b>', /not well-formed XML/],
    ['an unknown encoding', '<?xml version="1.0" encoding="klingon"?><a/>', /not well-formed XML/],
    ['bytes that aren’t text', Buffer.from([0x3c, 0x61, 0x3e, 0xff]), /not well-formed XML/],
    ['bytes that end within a character', Buffer.from('<a/>é').subarray(0, -1), /not well-formed XML/],
  ])('is refused with %s', async (_, content, message) => {
    await expect(events(parse, content)).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });
});

describe('a small part', () => {
  it('is refused when it is not small, since all it says is kept in memory', async () => {
    const styles = `<a>${`<b>${'x'.repeat(60_000)}</b>`.repeat(600)}</a>`;
    await expect(parseSmallXml('a.xlsx', archiveOf(styles), 'part.xml', {})).rejects.toMatchObject({
      exit: 'attention',
    });
  });
});

describe('prefixedAttribute', () => {
  it('finds an attribute under any prefix, and not without one', async () => {
    const ids: (string | undefined)[] = [];
    await parseSmallXml('a.xlsx', archiveOf('<a><b id="1" rel:id="2"/><b id="1"/></a>'), 'part.xml', {
      open: (name, attributes) => name === 'b' && ids.push(prefixedAttribute(attributes, 'id')),
    });
    expect(ids).toEqual(['2', undefined]);
  });
});
