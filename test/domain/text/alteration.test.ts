import { expect, test } from 'vitest';
import { type AlterationKind, alterationOf } from '../../../src/domain/text/alteration.js';

test.each<[string, string, AlterationKind | null]>([
  ["It's", "It's", null],
  ['Größe', 'Gro\u0308ße', null],
  ["It's", 'It&#39;s', 'entity'],
  ["It's", 'It&#x27;s', 'entity'],
  ["It's", 'It&apos;s', 'entity'],
  ['a < b & "c"', 'a &lt; b &amp; &quot;c&quot;', 'entity'],
  ['a &amp; b', 'a &amp;amp; b', 'entity'],
  ['Größe', 'GrÃ¶ÃŸe', 'letters'],
  ['Größe', 'Gro?e', 'letters'],
  ['Größe', 'Gr&ouml;&szlig;e', 'letters'],
  ['Größe', 'Gre', 'letters'],
  ['(a+b)* ü', '(a+b)* u', 'letters'],
  ['ïlè', '&iuml;l&egrave;', 'letters'],
  ['Ünder &amp; über', 'Under &amp; uber', 'letters'],
  ['über dem Ü', '?ber dem ?', 'letters'],
  ['Größe und Maß', 'Gre und', 'letters'],
  ['Größe', 'Größer', 'other'],
  ['Fire safety', 'Fire', 'other'],
  ["It's", 'It&#99999999;s', 'other'],
])('%j returned as %j: %s', (sent, returned, kind) => {
  expect(alterationOf(sent, returned)).toBe(kind);
});
