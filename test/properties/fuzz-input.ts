import { seededRandom } from '../../src/sandbox/seeded-random.js';
import { csvOf, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { workbookParts } from '../support/workbook-parts.js';
import { writeZip, type ZipEntry } from '../support/write-zip.js';

/** A file that is nearly one of the sound ones; the same seed gives the same file. */
export function fuzzInput(seed: number): Buffer {
  const random = seededRandom(seed);
  const draw = (below: number) => Math.floor(random() * below);
  const kind = draw(3);
  if (kind === 0) return mutated(pick(draw, TEXTS), TEXT_SHARDS, draw);
  if (kind === 1) return mutated(pick(draw, WORKBOOKS), ZIP_SHARDS, draw);
  return writeZip(mutatedParts(pick(draw, PARTS), draw));
}

/** A whole number from 0 on, below the one given. */
type Draw = (below: number) => number;

const ROWS = [
  ...exportRows(6),
  exportRow(6, { course: 'a "quoted", text\nof two lines', score: null }),
  exportRow(7, { email: 'Zoë.Müller@example.org', at: '31.12.2024', status: 'bestanden' }),
];

const TEXTS: readonly Buffer[] = [',', ';', '\t', '|'].flatMap((delimiter) => {
  const text = csvOf(ROWS, undefined, delimiter).replace(
    /(a "quoted"[^\t;|]*?two lines)/,
    '"a ""quoted"", text\nof two lines"',
  );
  return [
    Buffer.from(text),
    Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text, 'latin1'),
    Buffer.from(`sep=${delimiter}\r\n${text.replaceAll('\n', '\r')}`),
  ];
});

const CELLS =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>' +
  '<row r="2" spans="1:3"><c r="A2" t="inlineStr"><is><t>ann@example.org</t></is></c><c r="B2" s="2"><v>42</v></c><c r="C2" s="1"><v>45352.4375</v></c></row>' +
  '<row><c t="inlineStr"><is><r><rPr><b/></rPr><t>bob</t></r><r><t>@example.org</t></r></is></c><c t="str"><f>A1&amp;"x"</f><v>C&#45;1</v></c><c t="d"><v>2024-03-01T10:30:00</v></c></row>' +
  '<row r="9"><c r="A9" t="e"><v>#N/A</v></c><c r="B9" t="b"><v>1</v></c><c r="C9" s="3"><v><![CDATA[0.5]]></v></c><c r="XFD9"><v>1</v></c></row>';
const STRINGS =
  '<si><t>Email</t></si><si><t xml:space="preserve">Course ID</t></si><si><r><t>Completed</t></r><r><t> on</t></r><rPh><t>x</t></rPh></si>';

const PARTS: readonly (readonly ZipEntry[])[] = ['', 'date1904="1"'].map((properties) =>
  workbookParts({
    properties,
    strings: STRINGS,
    formats: ['yyyy-mm-dd hh:mm', '00000', 10],
    sheets: [
      { name: 'Export', rows: CELLS, dimension: 'A1:C9' },
      { name: 'Notes', state: 'hidden', rows: '<row r="1"><c r="A1"><v>1</v></c></row>' },
    ],
  }),
);
const WORKBOOKS: readonly Buffer[] = [workbookOf(ROWS), ...PARTS.map((parts) => writeZip(parts))];

const TEXT_SHARDS = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\ufeff',
  "'",
  'sep=;',
  '\u2028',
  '1e999',
];
const ZIP_SHARDS = [
  'PK\u0001\u0002',
  'PK\u0003\u0004',
  'PK\u0005\u0006',
  'PK\u0006\u0006',
  '\0\0',
  '\u0008\0',
  '\u007f\u007f\u007f\u007f',
];
const XML_SHARDS = [
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    '/',
    '</v>',
    '<v>',
    '<c>',
    '</c>',
    '<row>',
    '</row>',
    '<x:c>',
    '<!--',
    '-->',
    '<![CDATA[',
  ],
  ...[
    ']]>',
    '<?',
    '?>',
    '<!DOCTYPE a>',
    '<!ENTITY a "b">',
    '&a;',
    '&#0;',
    '&#x10FFFF;',
    '&amp;',
    ' r="A1048577"',
  ],
  ...[
    ' r="XFE1"',
    ' r="0"',
    ' r=""',
    ' t="s"',
    ' s="-1"',
    ' xmlns="urn:x"',
    ' xmlns:x="urn:x"',
    '-1',
    '1e999',
    '99999999',
  ],
  ...[
    '\ufeff',
    '\0',
    '\uffff',
    '😀',
    '_x0000_',
    '../',
    '\\',
    '_xD800_',
    '<si>',
    '</si>',
    '<is>',
    '<t>',
    '0.1e-5',
    '[h]',
  ],
];

function mutated(content: Buffer, shards: readonly string[], draw: Draw): Buffer {
  let bytes: Buffer = Buffer.from(content);
  for (let times = 1 + draw(4); times > 0; times -= 1) bytes = mutatedOnce(bytes, shards, draw);
  return bytes;
}

function mutatedOnce(bytes: Buffer, shards: readonly string[], draw: Draw): Buffer {
  const at = draw(bytes.length + 1);
  const end = Math.min(bytes.length, at + draw(draw(4) === 0 ? 400 : 12));
  const [before, chosen, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (draw(7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << draw(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, Buffer.from([draw(256), draw(256)]), after]);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return draw(3) === 0 ? before : after;
    case 4: {
      // Many times now and then, for what grows with repetition.
      const times = draw(20) === 0 ? 5_000 : 2;
      return Buffer.concat([before, ...Array.from({ length: times }, () => chosen), after]);
    }
    case 5: {
      const elsewhere = draw(bytes.length + 1);
      return Buffer.concat([before, bytes.subarray(elsewhere, elsewhere + draw(200)), after]);
    }
    default:
      return Buffer.concat([
        before,
        Buffer.from(pick(draw, shards)),
        draw(2) === 0 ? chosen : Buffer.alloc(0),
        after,
      ]);
  }
}

/** Mutates what is in the archive, so that its checksums are right, or how the archive lists it. */
function mutatedParts(parts: readonly ZipEntry[], draw: Draw): readonly ZipEntry[] {
  const chosen = draw(parts.length);
  return parts.flatMap((part, index) => {
    if (index !== chosen) return [part];
    const content = mutated(Buffer.from(part.content), XML_SHARDS, draw);
    switch (draw(12)) {
      case 0:
        return [];
      case 1:
        return [part, { ...part, content }];
      case 2:
        return [{ ...part, name: mutatedName(part.name, draw) }];
      case 3:
        return [{ ...part, crc: draw(2 ** 32) }];
      case 4:
        return [{ ...part, data: mutated(Buffer.from(part.content), XML_SHARDS, draw) }];
      case 5:
        return [{ ...part, content: Buffer.from(`\ufeff${content.toString()}`, 'utf16le') }];
      case 6:
        return [{ ...part, content, encrypted: true }];
      default:
        return [{ ...part, content, stored: draw(2) === 0 }];
    }
  });
}

/** As long as an archive can say, in two bytes, that a name is; what is cut may end within a character. */
function mutatedName(name: string, draw: Draw): string {
  const bytes = mutated(Buffer.from(name), XML_SHARDS, draw);
  // A character that is cut or broken takes three bytes once it is a text again.
  return bytes.subarray(0, Math.floor(0xffff / 3)).toString();
}

function pick<T>(draw: Draw, choices: readonly T[]): T {
  return choices[draw(choices.length)] as T;
}
