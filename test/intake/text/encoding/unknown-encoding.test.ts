import { describe, expect, it } from 'vitest';
import { encodeAs } from '../../../support/encode-as.js';
import { allRows, openContent } from '../../../support/open-content.js';

/** A file of two columns, with each text in a row of its own. */
function table(texts: readonly string[]): string {
  return ['Email,Course', ...texts.map((text, i) => `l${i}@example.org,${text}`), ''].join('\n');
}

const POLISH = ['Szkolenie wstępne', 'Bezpieczeństwo żywności', 'Obsługa wózków', 'Łukasz Gołębiewski'];
const CZECH = ['Školení řidičů', 'Bezpečnost práce', 'Požární hlídka', 'Jiří Skřivánek'];
const HUNGARIAN = ['Tűzoltó képzés', 'Erősáramú berendezések', 'Szűcs Gergő', 'Hegedűs Ödön'];
const CROATIAN = ['Zaštita okoliša', 'Rukovatelj viličarom', 'Ivančić Đurđica', 'Vučković'];
const ROMANIAN = ['Securitatea muncii şi sănătate', 'instrucţiuni', 'Bălănescu Ştefania'];
const RUSSIAN = ['Охрана труда', 'Пожарная безопасность', 'Первая помощь', 'Щербаков Пётр'];
const GREEK = ['Ασφάλεια εργασίας', 'Πρώτες βοήθειες', 'Παπαδόπουλος'];
const TURKISH = ['İş sağlığı', 'Yangın güvenliği', 'Kişisel gelişim', 'Çağrı Yılmazer', 'Işıldar'];
/** Each has letters of Windows-1252 that Iceland's words have. */
const TURKISH_WORDS = ['İş', 'Başarı', 'İleri', 'Eğitimi', 'EĞİTİM', 'sağlığı', 'Şirket', 'güvenliği'];
const GERMAN = ['Brandschutzübung', 'Prüfung für Schweißer', 'Übergabe', 'Jäger Jörg'];
const JAPANESE = ['安全衛生教育', '情報セキュリティ研修', 'フォークリフト運転'];

describe('text in another encoding than UTF-8 and Windows-1252', () => {
  it.each([
    ['windows-1250', POLISH],
    ['iso-8859-2', POLISH],
    ['windows-1250', CZECH],
    ['iso-8859-2', CZECH],
    ['windows-1250', HUNGARIAN],
    ['windows-1250', CROATIAN],
    ['windows-1250', ROMANIAN],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['ibm866', RUSSIAN],
    ['iso-8859-5', RUSSIAN],
    ['windows-1253', GREEK],
    ['iso-8859-7', GREEK],
    ['windows-1254', TURKISH],
    ...TURKISH_WORDS.map((word): [string, string[]] => ['windows-1254', [word]]),
    ['windows-1257', ['Darbuotojų sauga', 'Gaisrinė sauga', 'Čiurlionytė Žydrė', 'Šimkevičius']],
    ['macintosh', GERMAN],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['gb18030', ['安全生产培训', '信息安全基础', '新员工入职培训', '张伟']],
    ['big5', ['職業安全衛生教育', '資訊安全基礎', '急救訓練', '陳志明']],
    ['euc-kr', ['안전보건교육', '정보보호 기초과정', '김철수']],
    ['windows-1255', ['בטיחות בעבודה', 'עזרה ראשונה']],
  ])('is refused, and read once it is declared: %s', async (encoding, texts) => {
    const content = encodeAs(encoding, table(texts));
    await expect(openContent(content)).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringContaining('the encoding is unknown'),
      hint: expect.stringContaining('Declare the encoding of the source'),
    });
    const declared = await openContent(content, { encoding });
    expect((await allRows(declared)).slice(1).map(({ cells }) => cells[1])).toEqual(texts);
  });

  it.each([
    ['windows-1250', CZECH],
    ['iso-8859-2', POLISH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['iso-8859-7', GREEK],
    ['windows-1254', TURKISH],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
  ])('is refused with names that chardet proposes: %s', async (encoding, texts) => {
    await expect(openContent(encodeAs(encoding, table(texts)))).rejects.toMatchObject({
      hint: expect.stringContaining(`encoding: ${encoding} (then it is "`),
    });
  });

  it('shows a word of the text as it would be', async () => {
    await expect(openContent(encodeAs('windows-1250', table(['Szkoła', ...POLISH])))).rejects.toMatchObject({
      message:
        'the encoding is unknown: the text isn\'t UTF-8, and in Windows-1252 line 2, column 16 would be "Szko³a".',
      hint: expect.stringContaining('encoding: windows-1250 (then it is "Szkoła")'),
    });
  });

  it('is recognised by a sign before a small letter, which only names have before them', async () => {
    await expect(openContent(encodeAs('iso-8859-2', table(['Školení', 'Školitel'])))).rejects.toMatchObject({
      message: expect.stringContaining('would be "©kol'),
    });
    const read = await openContent(encodeAs('windows-1252', table(['©Acme', '® Möbel'])));
    expect((await allRows(read)).slice(1).map(({ cells }) => cells[1])).toEqual(['©Acme', '® Möbel']);
  });

  it('is read where the source says that it is Windows-1252', async () => {
    const content = encodeAs('windows-1250', table(['Szkoła']));
    const rows = await allRows(await openContent(content, { encoding: 'windows-1252' }));
    expect(rows[1]?.cells[1]).toBe('Szko³a');
  });

  it('of DOS is refused as unknown: no decoder has it', async () => {
    // ü, ß, ö, ä and Ü of code page 850; of these only ü has no character in Windows-1252.
    const content = Buffer.from(table(['Schwei\xe1er', 'H\x94he', 'J\x84ger', '\x9abergabe']), 'latin1');
    await expect(openContent(content)).rejects.toMatchObject({
      message: expect.stringContaining('the encoding is unknown'),
      hint: expect.stringContaining('export the file as UTF-8'),
    });
  });

  it.each([
    ['little', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'the text is in UTF-32, which is not read.'],
    ['big', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'the text is in UTF-32, which is not read.'],
    ['big', Buffer.from('a,b\n1,2\n', 'utf16le'), 'line 1, column 1 is a zero byte, which text never has.'],
  ])(
    'is refused where it is UTF-32: %s end first, with its mark and without',
    async (end, utf16, message) => {
      const wide = Buffer.alloc(utf16.length * 2);
      for (let i = 0; i < utf16.length; i += 2) {
        if (end === 'little') wide.writeUInt32LE(utf16.readUInt16LE(i), i * 2);
        else wide.writeUInt32BE(utf16.readUInt16LE(i), i * 2);
      }
      for (const encoding of [undefined, 'utf-8']) {
        await expect(openContent(wide, { encoding })).rejects.toMatchObject({ message });
      }
    },
  );
});

/** None of these is among the words that neighbours of letters were drawn from. */
const WESTERN = {
  German:
    'Höhenrettung Kältetechnik Gefährdungsbeurteilung Süßmann Hängebrücke Lötkurs Straßenwärter § 5 „Öl“ 2³ ½ 20 °C',
  French:
    'Évaluation équipière œnologie Bérénice Pénicaud Brûlé côtelette réfrigération « très élevé » n° 5 1ère 12 € l’été',
  Spanish: 'Señalización Ñandú Treviño Argüelles Ibarzábal cirugía ¿Qué? ¡Ánimo! 1º Mª niñez',
  Portuguese: 'Manutenção instalações Mourão pós-graduação IRMÃOS AÇÃO Estêvão condução avaliações',
  Italian: 'Accessibilità perché così Nardò Bartolomè lunedì elettricità',
  Danish: 'Førstehjælp Gråbøl Blåbjerg Ærø høreværn æsker Ågård færdsel',
  Swedish: 'Säkerhetskörning hjärt-lungräddning Häggqvist Ängelholm språkträning ÅÄÖ',
  Norwegian: 'Førstehjelp kjøretøyer Skjærgård Tveråmo Rødøy Ødelagt',
  Finnish: 'Työturvallisuuskortti hätäensiapu Äijälä yöäänestys hääyöaie Pääkkönen',
  Icelandic: 'blóðþrýstingsmælingar Þorgerður Friðþjófur Þjóðleikhúsið Sæþór íþróttahús Sigurður',
  Dutch: 'Cliëntveiligheid coördinator financiële één Zoëlle',
  Catalan: 'Prevenció elèctrics qüestions Llúcia pràctiques col·legi',
  Estonian: 'Tuleohutus väljaõpe jäääär tööõnnetus Kõrgessaar',
  neighbours: 'Tomáš Novák Škoda Žižka Kovács Gábor Wójcik Çelik',
  units: '5€ 12€ 99€ 20°C 25°C 30°C 5¢ 10¢ 20¢ 3£ 9£ 5µm 10µm 3½h 4½h 3² 4² 5³ 6³ §5 §6 ±1 ±2 1ª 2ª',
  signs: 'Office® Excel™ – © 2024 … “x” ‘y’ 5 € 10 £ ¥ 20 ± 3 4 × 4 m² 50 µm C·D fußläufig',
};

describe('text in Windows-1252', () => {
  it.each(Object.entries(WESTERN))(
    'needs no confirmation, as a whole or as a word alone: %s',
    async (_, text) => {
      const words = text.split(' ');
      for (const texts of [words, ...words.map((word) => [word])]) {
        const drop = await openContent(encodeAs('windows-1252', table(texts)));
        const isPlain = texts.every((word) => Buffer.from(word).length === word.length);
        expect(drop.text, texts.join(' ')).toMatchObject(
          isPlain ? { encoding: 'utf-8', fallback: false } : { encoding: 'windows-1252', fallback: true },
        );
      }
    },
  );

  it('is no fallback where the source declares it', async () => {
    const drop = await openContent(encodeAs('windows-1252', 'é'), { encoding: 'latin1' });
    expect(drop.text).toMatchObject({ encoding: 'windows-1252', fallback: false });
  });
});
