import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XmlFault, xmlScanner } from '../../../../src/intake/workbook/xml/xml-scanner.js';
import { isLinear } from '../../../support/growth.js';
import { samples } from '../../../support/samples.js';
import { saxesParser } from '../../../support/saxes-parser.js';

type MakeParser = typeof xmlScanner;

/** The events of a parser for a document in these pieces, text in one piece; null: the parser refuses it. */
function reported(make: MakeParser, pieces: readonly string[]): string | null {
  let depth = 0;
  let events = '';
  const parser = make({
    open(name, attributes) {
      depth += 1;
      const values = [...attributes].map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      events += `\u0001open ${name} ${values.join(' ')}\u0001`;
    },
    text(text) {
      if (depth > 0) events += text;
    },
    close(name) {
      depth -= 1;
      events += `\u0001close ${name}\u0001`;
    },
  });
  try {
    for (const piece of pieces) parser.write(piece);
    parser.end();
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
  return events;
}

/** Every way to cut a text into two that leaves its characters whole, and the one into single characters. */
function cuts(text: string): (readonly string[])[] {
  const pairs = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
    .filter((at) => !/[\udc00-\udfff]/.test(text.charAt(at)))
    .map((at) => [text.slice(0, at), text.slice(at)]);
  return [[text], [...text], ...pairs];
}

const space = fc.constantFrom(' ', ' ', '\n', '\t', '\r\n', '  ');
const name = fc.constantFrom('a', 'b', 'row', 'x:c', 'xmlns:x', 'xml', 'é', '漢字', 'a-1.b_', '\u{10000}');
const piece = fc.constantFrom(
  ...[
    'x',
    '1',
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\t',
    '>',
    ']',
    ']]',
    '"',
    "'",
    '=',
    '/',
    '?',
    '-',
    '漢',
    '😀',
    '\u0085',
  ],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&#10;', '&#13;', '&#x41;', '&#x1F600;', '&#0065;'],
);
const words = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const attribute = fc
  .tuple(space, name, fc.constantFrom('=', ' = ', '=\n'), fc.constantFrom('"', "'"), words)
  .map(([before, key, equals, quote, value]) => {
    return `${before}${key}${equals}${quote}${value.replaceAll(quote, '')}${quote}`;
  });
const attributes = fc
  .uniqueArray(attribute, { maxLength: 3, selector: (each) => each.trim().split(/[ =]/)[0] })
  .map((each) => each.join(''));
const other = fc.oneof(
  words.map((text) => `<!-- ${text.replaceAll('-', '')} -->`),
  fc
    .tuple(name, space, words)
    .map(([target, gap, text]) => `<?${target}1${gap}${text.replaceAll('?', '')}?>`),
);
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, fc.array(tie('content'), { maxLength: 3 }), fc.constantFrom('', ' ', '\n'))
    .map(([tag, values, content, gap]) => {
      return content.length === 0
        ? `<${tag}${values}${gap}/>`
        : `<${tag}${values}${gap}>${content.join('')}</${tag}${gap}>`;
    }),
  content: fc.oneof(
    { maxDepth: 3 },
    words.map((text) => text.replaceAll(']]>', '')),
    words.map((text) => `<![CDATA[${text.replaceAll(']', '')}]]>`),
    other,
    tie('element'),
  ),
}));
const declaration = fc.constantFrom(
  '',
  '\ufeff',
  '<?xml version="1.0"?>',
  "\ufeff<?xml version='1.0' encoding='UTF-8' standalone=\"yes\" ?>",
  '<?xml\nversion = "1.0"\tencoding="utf-8"?>\r\n',
);
const document = fc
  .tuple(declaration, fc.option(other, { nil: '' }), element, fc.constantFrom('', '\n', '<!-- end -->\r\n'))
  .map((parts) => parts.join(''));

/** The texts by which a mutation replaces some characters. */
const shard = fc.constantFrom(
  ...[
    '',
    '<',
    '>',
    '&',
    ';',
    '"',
    "'",
    '/',
    '=',
    '?',
    '!',
    '-',
    '--',
    ']',
    ']]>',
    ' ',
    'x',
    ':',
    '\0',
    '\u001f',
  ],
  ...[
    '\ufffe',
    '\uffff',
    '\ufeff',
    '&x;',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    '&#X41;',
    '&#;',
    '<!--',
    '-->',
    '<?',
  ],
  ...[
    '?>',
    '<?xml version="1.0"?>',
    '<![CDATA[',
    '<!DOCTYPE a>',
    '<!ENTITY',
    '</a>',
    '<a>',
    '<a/>',
    ' a="1"',
    '</',
  ],
);
const mutation = fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), shard });

function mutated(text: string, changes: readonly { at: number; length: number; shard: string }[]): string {
  return changes.reduce((result, change) => {
    const characters = Array.from(result);
    characters.splice(change.at % (characters.length + 1), change.length, change.shard);
    return characters.join('');
  }, text);
}

/** The one thing that the two parsers disagree on by intent. */
function isXml11(text: string): boolean {
  return /<\?xml[^>]*version\s*=\s*["']1\.(?!0["'])\d/.test(text);
}

describe('xmlScanner', () => {
  it('reports what the reference parser reports, whatever the cut', () => {
    fc.assert(
      fc.property(document, (text) => {
        const expected = reported(saxesParser, [text]);
        for (const pieces of cuts(text)) expect(reported(xmlScanner, pieces)).toBe(expected);
      }),
      { numRuns: samples(600) },
    );
  });

  it('refuses what the reference parser refuses, and nothing else, whatever the cut', () => {
    fc.assert(
      fc.property(document, fc.array(mutation, { minLength: 1, maxLength: 3 }), (sound, changes) => {
        const text = mutated(sound, changes);
        fc.pre(text !== '' && !isXml11(text));
        const expected = reported(saxesParser, [text]);
        for (const pieces of cuts(text)) expect(reported(xmlScanner, pieces)).toBe(expected);
      }),
      { numRuns: samples(1_500) },
    );
  });

  it.each([
    ['a version that no workbook has', '<?xml version="1.1"?><a/>'],
    ['a character by number that XML does not allow', '<a>&#8;</a>'],
    ['a control character in a comment', '<a><!-- \u0001 --></a>'],
    ['the same attribute twice', '<a b="1" b="2"/>'],
    ['the same attribute twice among many', `<a ${'abcdefghij'.replaceAll(/./g, '$&="1" ')} e="2"/>`],
    ['two attributes in one', '<a b="1"c="2"/>'],
    ['the end of CDATA in text', '<a>]]></a>'],
    ['another root', '<a/><a/>'],
    ['text after the root', '<a/>x'],
    ['an end tag of another element', '<a></b>'],
    ['an end tag that only begins alike', '<a></ab>'],
    ['a tag that is cut off', '<a><b x="1"'],
  ])('refuses %s', (_, text) => {
    expect(reported(xmlScanner, [text])).toBeNull();
  });

  it('refuses a tag of 200,000 attributes of one name without comparing each with each', () => {
    const tagOf = (attributes: number) => reported(xmlScanner, [`<a${' b=""'.repeat(attributes)}/>`]);
    expect(tagOf(200_000)).toBeNull();
    expect(isLinear(tagOf, 50_000)).toBe(true);
  });

  it('skips what its fast path reads, and calls it only within the root', () => {
    const offered: string[] = [];
    const opened: string[] = [];
    const parser = xmlScanner({
      open: (tag) => opened.push(tag),
      text: () => undefined,
      close: () => undefined,
      shortcut(source, start) {
        offered.push(source.slice(start, start + 2));
        return source.startsWith('<b/>', start) ? start + 4 : -1;
      },
    });
    parser.write('<a><b/><c/></a><!-- -->');
    parser.end();
    expect(offered).toEqual(['<b', '<c', '</']);
    expect(opened).toEqual(['a', 'c']);
  });
});
