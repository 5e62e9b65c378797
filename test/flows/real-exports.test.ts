import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { commandLine } from '../support/command-line.js';
import { printed } from '../support/printed.js';
import { tempFolder } from '../support/temp-folder.js';

interface Export {
  readonly name: string;
  readonly content: string | Buffer;
  /** A person's answers where the sentences leave a choice. */
  readonly answers?: Readonly<Record<string, string>>;
  /** How often registrar.yaml has to be edited. */
  readonly rounds: 0 | 1 | 2;
  /** Those that are not 0, in the end. */
  readonly dispositions: Readonly<Record<string, number>>;
  readonly at: string;
}

/** As these systems write them, with people and courses of our own. */
const EXPORTS: Readonly<Record<string, Export>> = {
  'a report of Cornerstone, below its title and filters': {
    name: 'transcripts.csv',
    content: [
      'Transcript report',
      'Filters: Status = All',
      'Run by: Ada King',
      '',
      'User - Email,User - Full Name,Training - Training Object ID,Training - Training Title,Transcript - Transcript Status,Transcript - Transcript Completed Date,Transcript - Transcript Score',
      'ann@example.com,Ann Lee,LO-1,Fire Safety,Completed,03/14/2025 9:30 AM,92',
      'bob@example.com,Bob Ray,LO-1,Fire Safety,In Progress,,',
      'Total: 2',
      '*** END OF REPORT ***',
    ].join('\r\n'),
    rounds: 0,
    dispositions: { staged: 1, skipped: 1, 'non-data': 6, blank: 1 },
    at: '2025-03-14',
  },
  'learners of LinkedIn Learning': {
    name: 'linkedin.csv',
    content: [
      'Email,Unique User ID,Content Name,Content ID,Completed At (PST/PDT),Percent Completed',
      'ann@example.com,u1,Time Management,urn:li:lyndaCourse:100,3/14/2025 16:30,100%',
      'bob@example.com,u2,Time Management,urn:li:lyndaCourse:100,3/15/2025 08:30,100%',
    ].join('\n'),
    rounds: 0,
    dispositions: { staged: 2, 'non-data': 1 },
    at: '2025-03-14',
  },
  'the completion of a course in Moodle, with long dates': {
    name: 'completion-fire.csv',
    content: [
      '\ufeffName,ID number,Email address,Quiz,Quiz - Completion date,Course complete',
      '"Lee, Ann",1001,ann@example.com,Completed,"Friday, 14 March 2025, 9:00 AM","Friday, 14 March 2025, 10:00 AM"',
      '"Ray, Bob",1002,bob@example.com,Completed,"Sunday, 16 March 2025, 9:00 AM","Sunday, 16 March 2025, 10:00 AM"',
    ].join('\n'),
    answers: { 'content-id': 'FIRE-1' },
    rounds: 1,
    dispositions: { staged: 2, 'non-data': 1 },
    at: '2025-03-14',
  },
  'the learning history of SuccessFactors': {
    name: 'history.txt',
    content: [
      'STUD_ID|CPNT_ID|CPNT_TYP_ID|COMPL_DTE|COMPL_DTE_TIMEZONE|CMPL_STAT_ID|GRADE!##!',
      '10023|FS-1|COURSE|MAR-14-2025 10:30:00 UTC|UTC|COURSE_COMPLETE|95!##!',
      '10024|FS-1|COURSE|MAR-15-2025 10:30:00 UTC|UTC|COURSE_COMPLETE|81!##!',
      '',
    ].join('\n'),
    rounds: 0,
    dispositions: { staged: 2, 'non-data': 1 },
    at: '2025-03-14',
  },
  'the progress of a course in SkyPrep': {
    name: 'progress.csv',
    content: [
      'email,first_name,last_name,status,completion_date,final_grade',
      'ann@example.com,Ann,Lee,passed,2025-03-14,92',
      'bob@example.com,Bob,Ray,in-progress,-,',
    ].join('\n'),
    answers: { 'content-id': 'SKY-1' },
    rounds: 1,
    dispositions: { staged: 1, skipped: 1, 'non-data': 1 },
    at: '2025-03-14',
  },
  'a German personnel system, in the encoding of its machine': {
    name: 'Schulungen März.csv',
    content: Buffer.from(
      [
        'Personalnummer;Name;Kurs-Nr.;Kursbezeichnung;Status;Abschlussdatum;Ergebnis',
        '00123;Müller, Jörg;K-100;Führungskräfte;Abgeschlossen;14.03.2025;92,5',
        '00124;Groß, Änne;K-100;Führungskräfte;Nicht bestanden;;',
        'K-100 Anzahl;;;;;;2',
        'Gesamtergebnis;;;;;;2',
      ].join('\r\n'),
      'latin1',
    ),
    rounds: 0,
    dispositions: { staged: 1, skipped: 1, 'non-data': 3 },
    at: '2025-03-13',
  },
  'the attendance of a meeting, with years of two digits': {
    name: 'attendance.csv',
    content: Buffer.from(
      `\ufeff${[
        '1. Summary',
        'Meeting title\tFire Safety',
        'Attended participants\t2',
        '',
        '2. Participants',
        'Name\tFirst join\tLast leave\tIn-meeting duration\tEmail\tParticipant ID (UPN)\tRole',
        'Ann Lee\t3/14/25, 9:00:12 AM\t3/14/25, 9:51:03 AM\t50m 51s\tann@example.com\tann@example.com\tPresenter',
        'Bob Ray\t3/14/25, 9:01:12 AM\t3/14/25, 9:51:09 AM\t49m 57s\tbob@example.com\tbob@example.com\tAttendee',
      ].join('\r\n')}`,
      'utf16le',
    ),
    answers: { dateOrder: 'month-first', 'content-id': 'FS-1' },
    rounds: 2,
    dispositions: { staged: 2, 'non-data': 5, blank: 1 },
    at: '2025-03-14',
  },
  'rows of a database, below a ruler, with times as plain numbers': {
    name: 'query.csv',
    content: [
      'Login,Course,Completed on',
      '-----,------,------------',
      'alee,FS-1,45730.5',
      'bray,FS-1,45731',
      '',
      '(2 rows affected)',
    ].join('\r\n'),
    rounds: 2,
    dispositions: { staged: 2, 'non-data': 3, blank: 1 },
    at: '2025-03-14',
  },
};

describe.each(Object.entries(EXPORTS))('%s', (_, { name, content, answers, rounds, dispositions, at }) => {
  it(`comes to a clean check with init and ${['no edit', 'one edit', 'two edits'][rounds]}`, async () => {
    const folder = tempFolder();
    const file = join(folder, name);
    writeFileSync(file, content);
    const made = (await printed(['init', 'here', '--sample', file], folder)) as Made;
    const root = join(folder, 'here');
    expect(made.check.clean).toBe(rounds === 0);
    const check = () =>
      printed(['check', file, '--source', made.source, '--limit', '1'], root, {
        env: {},
      }) as Promise<Checked>;
    let checked = await check();
    for (let round = 0; round < rounds; round += 1) {
      edit(join(root, 'registrar.yaml'), checked.issues, answers);
      checked = await check();
    }
    expect(Object.fromEntries(Object.entries(checked.dispositions ?? {}).filter(([, n]) => n > 0))).toEqual(
      dispositions,
    );
    const time = String(checked.records[0]?.request.body.data.attributes['completed-at']);
    // The zone is this machine's: a day here may be the one before.
    expect(Math.abs(Date.parse(time) - Date.parse(at))).toBeLessThanOrEqual(2 * 86_400_000);
  });
});

it('the activities of a meeting below its participants are invalid, and the participants count', async () => {
  const folder = tempFolder();
  const file = join(folder, 'attendance.csv');
  const activities = [
    '',
    '3. In-Meeting Activities',
    'Name\tJoin time\tLeave time\tDuration\tEmail\tRole',
    'Ann Lee\t3/14/25, 9:00:12 AM\t3/14/25, 9:20:00 AM\t19m 48s\tann@example.com\tPresenter',
    'Ann Lee\t3/14/25, 9:30:00 AM\t3/14/25, 9:51:03 AM\t21m 3s\tann@example.com\tPresenter',
  ];
  const { content } = EXPORTS['the attendance of a meeting, with years of two digits'] ?? { content: '' };
  writeFileSync(
    file,
    Buffer.concat([Buffer.from(content), Buffer.from(`\r\n${activities.join('\r\n')}`, 'utf16le')]),
  );
  const { source } = (await printed(['init', 'here', '--sample', file], folder)) as Made;
  const checkAgain = (issues: Checked['issues']) => {
    edit(join(folder, 'here/registrar.yaml'), issues, { dateOrder: 'month-first', 'content-id': 'FS-1' });
    return printed(['check', file, '--source', source], join(folder, 'here'), {
      env: {},
    }) as Promise<Checked>;
  };
  const named = { code: '', line: 0, remedy: 'defaults: { content-id: … }' };
  const checked = await checkAgain((await checkAgain([named])).issues);
  expect(checked.dispositions).toMatchObject({ staged: 2, invalid: 3, 'non-data': 6, blank: 2 });
  expect(checked.issues.filter(({ code }) => code === 'row-other-table')).toEqual(
    [11, 12, 13].map((line) =>
      expect.objectContaining({
        line,
        message: expect.stringContaining('of another table ("Name", "Join time", "Leave time")'),
        remedy:
          'export one table per file, delete line 11 and the rows below it from the file, or dismiss them',
      }),
    ),
  );
});

it('init ends with one line where a check of the sample is clean, whatever is skipped', async () => {
  const folder = tempFolder();
  const file = join(folder, 'all.csv');
  const rows = 'ann@example.com,C-1,2025-03-14,Completed\nbob@example.com,C-1,,In progress\n';
  writeFileSync(file, `Email,Course ID,Completed on,Status\n${rows}`);
  const { stdout } = await commandLine(['init', 'here', '--sample', file], { cwd: folder });
  expect(stdout.slice(stdout.indexOf('A check of'))).toBe(
    'A check of all.csv is clean: 1 staged, 1 skipped, 1 non-data\n',
  );
});

it('init ends with what is missing, in the words of check, and how to try again', async () => {
  const folder = tempFolder();
  const file = join(folder, 'courses.csv');
  writeFileSync(file, 'Email,Course,Completed on\nann@example.com,Fire Safety,2025-03-14\n');
  const { stdout, code } = await commandLine(['init', 'here', '--sample', file], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain('1. No column gives content-id. Add the setting below to registrar.yaml');
  expect(stdout).toContain(
    `Then check again: registrar check ${file} --source courses --workspace ${join(folder, 'here')}`,
  );
  const message = stdout.slice(stdout.indexOf('The file would be refused:'));
  expect(message).toContain('columns: { content-id: "Course" }');
  const checked = await commandLine(['check', file, '--source', 'courses'], { cwd: join(folder, 'here') });
  expect(checked).toMatchObject({ code: 1, stdout: message });
});

interface Made {
  readonly source: string;
  readonly check: Pick<Checked, 'issues'> & { readonly clean: boolean };
}

interface Checked {
  readonly dispositions: Readonly<Record<string, number>> | null;
  readonly issues: readonly { readonly line: number; readonly code: string; readonly remedy: string }[];
  readonly records: readonly { request: { body: { data: { attributes: Record<string, unknown> } } } }[];
}

/** Writes what the remedies say, with a person's answers where they leave a choice. */
function edit(path: string, issues: Checked['issues'], answers: Readonly<Record<string, string>> = {}) {
  const config = parse(readFileSync(path, 'utf8')) as {
    sources: [
      Record<'columns' | 'defaults', Record<string, string>> & {
        datePatterns?: string[];
        dateOrder?: string;
      },
    ];
  };
  for (const { remedy } of issues) {
    const [, pattern] = /datePatterns: \[(.+?)\]/.exec(remedy) ?? [];
    if (pattern !== undefined) config.sources[0].datePatterns = [pattern];
    if (remedy.includes('dateOrder') && answers.dateOrder) config.sources[0].dateOrder = answers.dateOrder;
    for (const [, key, map = ''] of remedy.matchAll(/(columns|defaults): (\{[^}]*\})/g)) {
      const columns = Object.entries(parse(map) as Record<string, string>).map(([field, value]) => [
        field,
        value === '…' ? answers[field] : value,
      ]);
      const [source] = config.sources;
      const where = key as 'columns' | 'defaults';
      source[where] = { ...source[where], ...Object.fromEntries(columns) };
    }
  }
  writeFileSync(path, stringify(config));
}
