import type { SandboxOptions } from '../../sandbox/options.js';

/** What the demo delivers, where to, and what it must show. */
export interface DemoShow {
  /** The operations it shows. */
  readonly operations: readonly string[];
  /** What the show is about, for those who watch. @param allowed the quota in words. */
  opening(allowed: string): string;
  /** Further settings of the environment than every show has, as lines of registrar.yaml. */
  readonly environment: readonly string[];
  /** Its sources in registrar.yaml. */
  readonly sources: string;
  /** Samples by round: the samples of a round are put into the inboxes once the round before has been delivered. */
  readonly rounds: readonly (readonly DemoSample[])[];
  readonly sandbox: Pick<SandboxOptions, 'alters' | 'faults'>;
  /** Answers other than successes that must come. */
  readonly answers: readonly ExpectedAnswer[];
}

/** A file of data/samples/ and the source that takes it. */
export interface DemoSample {
  readonly source: string;
  readonly file: string;
}

interface ExpectedAnswer {
  /** 500 stands for any 5xx. */
  readonly status: number;
  /** The row was accepted all the same. */
  readonly survived: boolean;
}

/** Completions: three feeds, each with the settings that its files don't show themselves. */
export const COMPLETIONS: DemoShow = {
  operations: ['submit-completion'],
  opening: (
    allowed,
  ) => `Three exports of learning systems go to an embedded platform: a UTF-8 CSV, a Windows-1252 CSV with
semicolons and day-first dates, a workbook with real dates and percent scores. The platform allows
${allowed}, doesn't know learners called "unknown", and is
told to fail once with a 5xx and once with a 429.
`,
  environment: [],
  sources: `  - name: academy
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
  - name: campus
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
    dateOrder: day-first
    columns: { user-id: E-Mail, content-id: Kursnummer, completed-at: Abgeschlossen am, percentile: Ergebnis }
    status: { notCompleted: [in Bearbeitung] }
  - name: workshops
    operation: submit-completion
    environment: main
    stableFor: 0s
    timeZone: Europe/Berlin
`,
  rounds: [
    [
      { source: 'academy', file: 'academy-completions.csv' },
      { source: 'campus', file: 'campus-export.csv' },
      { source: 'workshops', file: 'workshops.xlsx' },
    ],
  ],
  sandbox: {
    faults: {
      schedule: [
        { kind: 'server-error', at: 7 },
        { kind: 'throttle', at: 12 },
      ],
    },
  },
  answers: [
    { status: 400, survived: false },
    { status: 429, survived: true },
    { status: 500, survived: true },
  ],
};

const SKILLS: DemoShow = {
  operations: ['add-skills', 'delete-skills'],
  opening: (
    allowed,
  ) => `Skills are added to contents, then some of them are deleted; rows of one content share a request.
The embedded platform allows ${allowed},
and knows neither contents nor skills called "unknown".
`,
  environment: [],
  sources: feed('skills-added', 'add-skills') + feed('skills-removed', 'delete-skills'),
  rounds: [
    [{ source: 'skills-added', file: 'skills-to-add.csv' }],
    [{ source: 'skills-removed', file: 'skills-to-remove.csv' }],
  ],
  sandbox: {},
  answers: [
    { status: 404, survived: false },
    { status: 400, survived: false },
  ],
};

const COURSES: DemoShow = {
  operations: ['create-course', 'update-course', 'delete-course'],
  opening: (
    allowed,
  ) => `Courses are created, updated and deleted, and one that was deleted is created again: it exists
already (409), so that "exists: revive" updates it. The embedded platform allows
${allowed}, and gives letters beyond ASCII back altered.
`,
  environment: ['exists: revive'],
  sources:
    feed('courses-created', 'create-course') +
    feed('courses-updated', 'update-course') +
    feed('courses-deleted', 'delete-course'),
  rounds: [
    [{ source: 'courses-created', file: 'courses-to-create.csv' }],
    [{ source: 'courses-updated', file: 'courses-to-update.csv' }],
    [{ source: 'courses-deleted', file: 'courses-to-delete.csv' }],
    [{ source: 'courses-created', file: 'courses-to-revive.csv' }],
  ],
  sandbox: { alters: 'letters' },
  answers: [
    { status: 404, survived: false },
    { status: 409, survived: true },
  ],
};

const GROUPS: DemoShow = {
  operations: ['create-group'],
  opening: (
    allowed,
  ) => `Groups are created, one of them a second time with another description. The embedded platform
allows ${allowed}, and gives apostrophes back as entities.
`,
  environment: [],
  sources: feed('groups', 'create-group'),
  rounds: [[{ source: 'groups', file: 'groups.csv' }]],
  sandbox: { alters: 'entities' },
  answers: [{ status: 409, survived: false }],
};

/** All shows; every operation is in one of them. */
export const DEMO_SHOWS: readonly DemoShow[] = [COMPLETIONS, SKILLS, COURSES, GROUPS];

function feed(name: string, operation: string): string {
  return `  - name: ${name}
    operation: ${operation}
    environment: main
    stableFor: 0s
`;
}
