import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PRESET_NAMES } from '../../src/config/presets/preset-names.js';
import { cells, document, table } from '../support/markdown.js';
import { printed } from '../support/printed.js';
import { tempFolder } from '../support/temp-folder.js';

const FOLDER = fileURLToPath(new URL('../../data/samples/presets/', import.meta.url));

interface Sample {
  /** What a source says besides the preset's name. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Field to header. */
  readonly mapped: Readonly<Record<string, string>>;
  /** Those that are not 0. */
  readonly dispositions: Readonly<Record<string, number>>;
  /** The time of the first record, which shows how the date was read. */
  readonly at: string;
}

const EMPLOYEE = { 'user-identifier-type': 'EmployeeId' };
const FIRE_SAFETY = { 'content-id': 'FS-1' };

const SAMPLES: Readonly<Record<string, Sample>> = {
  'adobe-learning-manager': {
    source: {},
    mapped: {
      'user-id': 'Email',
      'content-id': 'Training ID',
      'completed-at': 'Completion Date (UTC TimeZone)',
      percentile: 'Quiz_score',
      status: 'Status',
      'content-title': 'Course',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  cornerstone: {
    source: { timeZone: 'UTC' },
    mapped: {
      'user-id': 'User - Email',
      'content-id': 'Training - Training Object ID',
      'completed-at': 'Transcript - Transcript Completed Date',
      percentile: 'Transcript - Transcript Score',
      status: 'Transcript - Transcript Status',
      'content-title': 'Training - Training Title',
    },
    dispositions: { 'non-data': 3, blank: 2, staged: 2, skipped: 1 },
    at: '2025-03-04T09:30:00.000Z',
  },
  'cornerstone-es': {
    source: { timeZone: 'UTC', columns: { 'content-id': 'Código' } },
    mapped: {
      'user-id': 'Correo electrónico',
      'content-id': 'Código',
      'completed-at': 'Fecha de finalización de expediente',
      status: 'Estado del expediente',
      'content-title': 'Título de la capacitación',
    },
    dispositions: { 'non-data': 1, staged: 2 },
    at: '2025-03-04T00:00:00.000Z',
  },
  coursera: {
    source: {},
    mapped: {
      'user-id': 'Email',
      'content-id': 'Course ID',
      'completed-at': 'Completion Time',
      percentile: 'Course Grade',
      status: 'Completed',
      'content-title': 'Course',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  degreed: {
    source: { timeZone: 'UTC', defaults: EMPLOYEE },
    mapped: {
      'user-id': 'UserID',
      'content-id': 'CourseID',
      'content-type': 'ContentType',
      'completed-at': 'CompletionDate',
    },
    dispositions: { 'non-data': 1, staged: 2 },
    at: '2025-03-10T00:00:00.000Z',
  },
  docebo: {
    source: { timeZone: 'UTC' },
    mapped: {
      'user-id': 'Email',
      'content-id': 'course_id',
      'completed-at': 'Completion Date',
      percentile: 'Final score',
      status: 'Status',
      'content-title': 'Course Name',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  dualcode: {
    source: { timeZone: 'UTC', defaults: { 'user-identifier-type': 'UserId' } },
    mapped: {
      'user-id': 'username',
      'content-id': 'course_shortname',
      'completed-at': 'completed_on',
      percentile: 'final_grade',
    },
    dispositions: { 'non-data': 1, staged: 2 },
    at: '2025-03-10T00:00:00.000Z',
  },
  iomad: {
    source: { timeZone: 'UTC', defaults: { 'user-identifier-type': 'UserId' } },
    mapped: {
      'user-id': 'username',
      'content-id': 'courseid',
      'completed-at': 'timecompleted',
      'content-title': 'coursename',
    },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-10T00:00:00.000Z',
  },
  knowbe4: {
    source: { defaults: { 'content-id': 'PHISH-1' } },
    mapped: {
      'user-id': 'Email',
      'completed-at': 'Completion Date',
      percentile: 'Score',
      status: 'Status',
      'content-title': 'Content',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  'learning-pool': {
    source: { timeZone: 'UTC', defaults: EMPLOYEE },
    mapped: {
      'user-id': 'User Identifier',
      'content-id': 'Learning Experience External ID',
      'completed-at': 'Learning Experience Completion Date',
    },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-10T00:00:00.000Z',
  },
  learnupon: {
    source: { timeZone: 'UTC', defaults: FIRE_SAFETY },
    mapped: {
      'user-id': 'Login ID',
      'completed-at': 'Enrollment Completed Date',
      percentile: 'Enrollment Score',
      status: 'Enrollment Status',
      'content-title': 'Course Name',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-04T00:00:00.000Z',
  },
  'linkedin-learning': {
    source: {},
    mapped: {
      'user-id': 'Email',
      'content-id': 'Content ID',
      'completed-at': 'Completed At (PST/PDT)',
      'content-title': 'Content Name',
    },
    dispositions: { 'non-data': 1, staged: 1, invalid: 1, skipped: 1 },
    at: '2025-03-10T16:30:00.000Z',
  },
  'moodle-completion': {
    source: { timeZone: 'UTC', defaults: FIRE_SAFETY },
    mapped: { 'user-id': 'Email address', 'completed-at': 'Course complete' },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  'open-edx-grades': {
    source: { defaults: { ...FIRE_SAFETY, 'completed-at': '2025-03-31' } },
    mapped: { 'user-id': 'Email', percentile: 'Grade', status: 'Certificate Eligible' },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-31T00:00:00.000Z',
  },
  percipio: {
    source: { timeZone: 'UTC' },
    mapped: {
      'user-id': 'User Email',
      'content-id': 'Content ID',
      'completed-at': 'Completion Date',
      percentile: 'High Score',
      status: 'Status',
      'content-title': 'Content Title',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  'scorm-engine': {
    source: { defaults: { 'user-identifier-type': 'UserId' } },
    mapped: {
      'user-id': 'learner_id',
      'content-id': 'course_id',
      'completed-at': 'completion_date',
      percentile: 'raw_score',
      status: 'lesson_status',
      'content-title': 'course_title',
    },
    dispositions: { 'non-data': 1, staged: 1, skipped: 2 },
    at: '2025-03-10T09:30:00.000Z',
  },
  skyprep: {
    source: { timeZone: 'UTC', defaults: FIRE_SAFETY },
    mapped: { 'user-id': 'email', 'completed-at': 'completion_date', status: 'status' },
    dispositions: { 'non-data': 1, staged: 1, skipped: 1 },
    at: '2025-03-10T00:00:00.000Z',
  },
  successfactors: {
    source: { timeZone: 'UTC', defaults: EMPLOYEE },
    mapped: {
      'user-id': 'STUD_ID',
      'content-id': 'CPNT_ID',
      'completed-at': 'COMPL_DTE',
      'completed-at-zone': 'COMPL_DTE_TIMEZONE',
      percentile: 'GRADE',
      status: 'CMPL_STAT_ID',
    },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  taleo: {
    source: { timeZone: 'UTC', defaults: { ...FIRE_SAFETY, 'user-identifier-type': 'UserId' } },
    mapped: {
      'user-id': 'Username',
      'completed-at': 'Date Completed',
      'content-title': 'Course/Learning Plan Name',
    },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-04T09:30:00.000Z',
  },
  'teams-attendance': {
    source: { timeZone: 'UTC', dateOrder: 'day-first', defaults: FIRE_SAFETY },
    mapped: { 'user-id': 'Email', 'completed-at': 'Last leave' },
    dispositions: { 'non-data': 5, blank: 1, staged: 1 },
    at: '2025-03-10T10:00:00.000Z',
  },
  totara: {
    source: { timeZone: 'UTC', defaults: { 'user-identifier-type': 'UserId' } },
    mapped: {
      'user-id': 'username',
      'content-id': 'courseidnumber',
      'completed-at': 'completiondate',
      percentile: 'grade',
    },
    dispositions: { 'non-data': 1, staged: 1 },
    at: '2025-03-10T00:00:00.000Z',
  },
  'udemy-business': {
    source: {},
    mapped: {
      'user-id': 'User Email',
      'content-id': 'Course ID',
      'completed-at': 'Date Completed (UTC)',
      'content-title': 'Course Title',
    },
    dispositions: { 'non-data': 1, staged: 1, invalid: 1 },
    at: '2025-03-10T09:30:00.000Z',
  },
  workday: {
    source: { timeZone: 'UTC' },
    mapped: {
      'user-id': 'Worker ID',
      'content-id': 'Learning Content Number',
      'completed-at': 'Completion Date',
      percentile: 'Grade',
      status: 'Completion Status',
      'content-title': 'Learning Content',
    },
    dispositions: { 'non-data': 1, staged: 2, skipped: 1 },
    at: '2025-03-14T00:00:00.000Z',
  },
  'zoom-participants': {
    source: { timeZone: 'UTC', defaults: FIRE_SAFETY },
    mapped: { 'user-id': 'User Email', 'completed-at': 'Leave Time' },
    dispositions: { 'non-data': 3, blank: 1, staged: 1, invalid: 1 },
    at: '2025-03-04T10:00:00.000Z',
  },
};

it('there is a sample for every preset', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...PRESET_NAMES]);
});

describe.each(Object.entries(SAMPLES))('the sample of %s', (name, { source, mapped, dispositions, at }) => {
  const file = join(FOLDER, `${name}.csv`);

  it('is read as its preset says, with what the source has to say', async () => {
    const checked = (await printed(['check', file, '--source', name], workspaceFor(name, source))) as Printed;
    expect(checked.header).toMatchObject({ mapped, preset: { name, why: 'named' } });
    expect(checked.header?.mapped).toEqual(mapped);
    expect(notZero(checked.dispositions)).toEqual(dispositions);
    expect(checked.records[0]?.request.body.data.attributes['completed-at']).toBe(at);
  });

  it('is described in data/README.md with what it shows', () => {
    const row = cells(table(document('data/README.md'), 'samples/presets/')).find(
      ([file]) => file === `${name}.csv`,
    );
    expect(row?.[1]).toMatch(/\w/);
  });
});

/** Those that lack required fields have no header without their source. */
const COMPLETE = [
  'adobe-learning-manager',
  'cornerstone',
  'coursera',
  'docebo',
  'linkedin-learning',
  'percipio',
  'udemy-business',
];

it.each(COMPLETE)('inspect knows the sample of %s by its header', async (name) => {
  const seen = (await printed(['inspect', join(FOLDER, `${name}.csv`)], tempFolder())) as Printed;
  expect(seen.header?.preset).toMatchObject({ name, why: 'header' });
  expect(seen.header?.mapped).toEqual(SAMPLES[name]?.mapped);
});

/** A workspace whose one source names the preset. */
function workspaceFor(name: string, settings: Sample['source']): string {
  const root = tempFolder();
  const main = {
    baseUrl: 'http://127.0.0.1:9',
    authUrl: 'http://127.0.0.1:9',
    clientId: '${REGISTRAR_CLIENT_ID}',
    clientSecret: '${REGISTRAR_CLIENT_SECRET}',
  };
  const source = { name, operation: 'submit-completion', environment: 'main', preset: name, ...settings };
  writeFileSync(join(root, 'registrar.yaml'), JSON.stringify({ environments: { main }, sources: [source] }));
  return root;
}

interface Printed {
  readonly header: { readonly mapped: Record<string, string>; readonly preset: unknown } | null;
  readonly dispositions: Readonly<Record<string, number>> | null;
  readonly records: readonly { request: { body: { data: { attributes: Record<string, unknown> } } } }[];
}

function notZero(counts: Readonly<Record<string, number>> | null): Record<string, number> {
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count > 0));
}
