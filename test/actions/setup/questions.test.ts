import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plan } from '../../../src/actions/setup/init.js';
import { nextQuestion, type Question } from '../../../src/actions/setup/questions.js';
import type { SetupAnswers } from '../../../src/actions/setup/setup-answers.js';
import { tempFolder } from '../../support/temp-folder.js';

const NONE: SetupAnswers = { columns: {}, defaults: {} };

/** All that needs no sample. */
const ANSWERS: SetupAnswers = {
  ...NONE,
  baseUrl: 'https://platform.example',
  authUrl: 'https://platform.example',
  clientIdEnv: 'ID',
  clientSecretEnv: 'SECRET',
  operation: 'submit-completion',
  source: 'academy',
  timeZone: 'Europe/Berlin',
};

const around = (env: Readonly<Record<string, string>> = {}) => ({ cwd: '/', env });

/** A sample of these lines. */
function sampleOf(...lines: string[]): string {
  const path = join(tempFolder(), 'sample.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** The prompts for a person with these replies; a prompt without a reply gets the proposed value. */
async function prompted(
  answers: SetupAnswers,
  replies: Readonly<Record<string, string>> = {},
): Promise<{ readonly prompts: readonly string[]; readonly answers: SetupAnswers }> {
  const prompts: string[] = [];
  let current = answers;
  for (
    let question = await nextQuestion(current, around());
    question;
    question = await nextQuestion(current, around())
  ) {
    prompts.push(question.prompt);
    if (prompts.length > 30) throw new Error(`no end: ${prompts.join(', ')}`);
    current = await taken(question, replies[question.prompt]);
  }
  return { prompts, answers: current };
}

async function taken(question: Question, reply: string | undefined): Promise<SetupAnswers> {
  const text = reply ?? question.initial;
  if (text === null) throw new Error(`"${question.prompt}" has no proposal`);
  const result = await question.take(text);
  if ('mistake' in result) throw new Error(result.mistake);
  return result.answers;
}

const yamlOf = async (answers: SetupAnswers) =>
  (await plan({ folder: join(tempFolder(), 'new'), answers, env: {} })).yaml;

describe('a set-up prompts', () => {
  it('for nothing that an option gives or the sample shows', async () => {
    const sample = sampleOf(
      'Email,Course ID,Completed on,Score',
      'a@x.example,C-1,2024-03-01T10:00:00Z,80',
      'b@x.example,C-2,2024-03-02T10:00:00Z,90',
    );
    expect((await prompted({ ...ANSWERS, sample })).prompts).toEqual([]);
  });

  it('for no zone where each time says its own, nor for an operation without times', async () => {
    const { timeZone: _, ...rest } = ANSWERS;
    const zoned = sampleOf('Email,Course ID,Completed on', 'a@x.example,C-1,2024-03-01T10:00:00Z');
    const local = sampleOf('Email,Course ID,Completed on', 'a@x.example,C-1,2024-03-01 10:00:00');
    expect((await prompted({ ...rest, sample: zoned })).prompts).toEqual([]);
    expect((await prompted({ ...rest, sample: local })).prompts).toEqual(['Time zone of the files']);
    expect((await prompted({ ...rest, sample: null, operation: 'create-group' })).prompts).toEqual([]);
  });

  it('for a value for all rows where no column gives a required field; it may be left for later', async () => {
    const sample = sampleOf('Email,Name,Completed on', 'a@x.example,Fire,2024-03-01T10:00:00Z');
    const none = { 'Column of content-id': '' };
    const later = await prompted({ ...ANSWERS, sample }, none);
    expect(later.prompts).toEqual(['Column of content-id', 'content-id of all rows']);
    expect(await yamlOf(later.answers)).toMatch(/content-id is needed, here or in defaults/);
    const answered = await prompted({ ...ANSWERS, sample }, { ...none, 'content-id of all rows': 'C-7' });
    const yaml = await yamlOf(answered.answers);
    expect(yaml).toMatch(/content-id: C-7 # as given at set-up/);
    expect(yaml).not.toContain('is needed');
  });

  it('for the kind of identifier of a column where nothing shows it, and accepts no other word', async () => {
    const sample = sampleOf('User ID,Course ID,Completed on', '4711,C-1,2024-03-01T10:00:00Z');
    const { prompts, answers } = await prompted(
      { ...ANSWERS, sample },
      { 'user-identifier-type of all rows': 'employeeid' },
    );
    expect(prompts).toEqual(['user-identifier-type of all rows']);
    expect(await yamlOf(answers)).toContain('user-identifier-type: EmployeeId # as given at set-up');
    const question = await nextQuestion({ ...ANSWERS, sample }, around());
    expect(await question?.take('Name')).toEqual({
      mistake: expect.stringMatching(/"Name" is not one of Email, /),
    });
  });

  it('for the order of dates only where the sample proves none', async () => {
    const file = (...dates: string[]) =>
      sampleOf(
        'Email,Course ID,Completed on',
        ...dates.map((date, index) => `a@x.example,C-${index},${date} 10:00`),
      );
    const order = { 'Order of day and month': 'month-first' };
    const open = await prompted({ ...ANSWERS, sample: file('03/04/2024', '05/06/2024') }, order);
    expect(open.prompts).toEqual(['Order of day and month']);
    expect(await yamlOf(open.answers)).toContain('dateOrder: month-first # as given at set-up');
    expect((await prompted({ ...ANSWERS, sample: file('03/04/2024', '25/06/2024') })).prompts).toEqual([]);
    expect((await prompted({ ...ANSWERS, sample: file('2024-03-04') })).prompts).toEqual([]);
    // With years of two digits the order stays a guess.
    const short = await prompted({ ...ANSWERS, sample: file('03/04/24', '05/06/24') }, order);
    expect(short.prompts).toEqual(['Order of day and month']);
  });

  it('for another file where it can’t be read, with the reason', async () => {
    const { sample: _, ...open } = { ...ANSWERS, sample: null };
    const question = await nextQuestion(open, around());
    expect(await question?.take('/nowhere/x.csv')).toEqual({
      mistake: 'there is no file /nowhere/x.csv. Check the path.',
    });
    const empty = sampleOf('1,2,3', '4,5,6');
    expect(await question?.take(empty)).toEqual({
      mistake: expect.stringMatching(
        /has no line that looks like a header\. Look at it: registrar inspect FILE\./,
      ),
    });
  });

  it('for the name of a variable, in small letters only where it is set', async () => {
    const { clientSecretEnv: _, ...open } = { ...ANSWERS, sample: null };
    const refused = await (await nextQuestion(open, around()))?.take('lms_secret');
    expect(refused).toEqual({ mistake: expect.not.stringContaining('lms_secret') });
    const known = await nextQuestion(open, around({ lms_secret: 'x' }));
    expect(await known?.take('lms_secret')).toMatchObject({ answers: { clientSecretEnv: 'lms_secret' } });
  });
});

it('a named column replaces the detected one', async () => {
  const sample = sampleOf('Mail,Course ID,Number,Completed on', 'a@x.example,C-1,N-1,2024-03-01T10:00:00Z');
  const yaml = await yamlOf({ ...ANSWERS, sample, columns: { 'content-id': 'Number' } });
  expect(yaml).toContain('content-id: Number # as given at set-up');
});

it('the line with the named column is the header, whatever other lines look like', async () => {
  const row = 'a@x.example,C-1,N-1,2024-03-01T10:00:00Z';
  const sample = sampleOf('Email,Course ID,,', 'Who,Kennung,Number,When', row);
  const yaml = await yamlOf({ ...ANSWERS, sample, columns: { 'user-id': 'Who', 'completed-at': 'When' } });
  expect(yaml).toMatch(/user-id: Who .*\n {6}completed-at: When/);
});
