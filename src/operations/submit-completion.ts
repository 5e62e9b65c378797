import type { NormalisedRecord } from '../domain/record.js';
import { HEADER_LANGUAGES } from './header-languages.js';
import { type Operation, requiredField } from './operation.js';

/** Headers that name an e-mail address, from vendors' exports. */
const EMAIL_ALIASES = [
  'email',
  'mail',
  'email address',
  'user email',
  'learner email',
  'employee email',
  'work email',
  'work email address',
  'primary email',
  'login',
  'login id',
  'upn',
  'participant id (upn)',
  'correo electrónico',
  'adresse e-mail',
  'e-mail-adresse',
  'courriel',
  'メール',
  ...HEADER_LANGUAGES.email,
] as const;

/** Headers that name an identifier; which kind must be said by the source, except where the header says it. */
const ID_ALIASES = [
  'user id',
  'user identifier',
  'employee id',
  'emp id',
  'global employee id',
  'local employee id',
  'personnel number',
  'personalnummer',
  'stud id',
  'student id',
  'unique id',
  'unique user id',
  'external id',
  'lms user id',
  'user name',
  'login name',
  'worker id',
  'id de usuario',
  ...HEADER_LANGUAGES.employeeId,
  ...HEADER_LANGUAGES.userId,
] as const;

const EMPLOYEE_ID_ALIASES = [
  'employee id',
  'emp id',
  'personnel number',
  'personalnummer',
  ...HEADER_LANGUAGES.employeeId,
] as const;

/**
 * Submit a course completion for a learner: POST /api/v2/completions (specification §2.2 and §4.2). The
 * specification doesn't show which attributes are required; a completion without learner, content or time means
 * nothing, so those three are required here. The scope is not shown either: `completions:write` is publicly known.
 */
export const submitCompletion: Operation = {
  name: 'submit-completion',
  scope: 'completions:write',
  family: 'submit-completion',
  kind: 'occurrences',
  fields: [
    {
      name: 'user-id',
      kind: 'learner',
      required: true,
      sent: true,
      aliases: [...EMAIL_ALIASES, ...ID_ALIASES],
    },
    {
      name: 'user-identifier-type',
      kind: 'choice',
      required: true,
      sent: true,
      aliases: ['user identifier type'],
      choices: ['Email', 'UserId', 'EmployeeId', 'AliasUid', 'AliasEmail'],
      implied: {
        by: 'user-id',
        values: {
          ...Object.fromEntries(EMAIL_ALIASES.map((alias) => [alias, 'Email'])),
          ...Object.fromEntries(EMPLOYEE_ID_ALIASES.map((alias) => [alias, 'EmployeeId'])),
        },
        ifAddresses: ['login', 'login id', 'upn', 'participant id (upn)', 'mail'],
      },
    },
    {
      name: 'content-id',
      kind: 'identifier',
      required: true,
      sent: true,
      aliases: [
        'course id',
        'course code',
        'course number',
        'course idnumber',
        'course short name',
        'content id',
        'customercontentid',
        'item id',
        'cpnt id',
        'training id',
        'training object id',
        'lo id',
        'learning object id',
        'external content id',
        'course slug',
        'class id',
        'learning experience external id',
        'course no',
        'course key',
        'training code',
        'training number',
        'content code',
        ...HEADER_LANGUAGES.contentId,
      ],
    },
    {
      name: 'content-id-type',
      kind: 'choice',
      required: true,
      sent: true,
      aliases: ['content id type'],
      choices: ['ExternalId', 'Id', 'ContentUrl'],
      fallback: 'ExternalId',
    },
    {
      name: 'content-type',
      kind: 'choice',
      required: true,
      sent: true,
      aliases: ['content type'],
      // The specification's one example is in lower case; the others are publicly known in this casing.
      choices: ['course', 'Article', 'Book', 'Event', 'Video', 'Podcast', 'Assessment'],
      fallback: 'course',
    },
    {
      name: 'completed-at',
      kind: 'timestamp',
      required: true,
      sent: true,
      aliases: [
        'completion date',
        'completed date',
        'date completed',
        'completed on',
        'completed at',
        'completed',
        'completion time',
        'compl dte',
        'transcript completed date',
        'enrollment completed date',
        'finish date',
        'end date',
        'timecompleted',
        'first completion date',
        'date achieved',
        'learning experience completion date',
        'fecha de finalización',
        'fecha de finalización de expediente',
        "date d'achèvement",
        'abschlussdatum',
        'abgeschlossen am',
        ...HEADER_LANGUAGES.completedAt,
      ],
    },
    {
      name: 'percentile',
      kind: 'score',
      required: false,
      sent: true,
      aliases: [
        'score',
        'grade',
        'final grade',
        'final score',
        'quiz score',
        'high score',
        'course grade',
        'enrollment score',
        'transcript score',
        'score %',
        'percentage',
        'percentile',
        'result',
        'note',
        ...HEADER_LANGUAGES.score,
      ],
    },
    {
      name: 'status',
      kind: 'status',
      required: false,
      sent: false,
      aliases: [
        'status',
        'completion status',
        'transcript status',
        'training status',
        'enrollment status',
        'cmpl stat id',
        'result status',
        'completed (yes/no)',
        'completed (y/n)',
        'completed y/n',
        'completed?',
        'is completed',
        'passed (yes/no)',
        'passed (y/n)',
        'passed?',
        'pass/fail',
        'enrolment status',
        'completion state',
        'course status',
        'lesson status',
        'learning status',
        'assignment status',
        'activity status',
        'attempt status',
        'progress status',
        'estado',
        'estado del expediente',
        'statut',
        ...HEADER_LANGUAGES.status,
      ],
    },
    {
      // Only headers that speak of the completion: a person's own zone says nothing about the times of a file.
      name: 'completed-at-zone',
      kind: 'zone',
      required: false,
      sent: false,
      aliases: ['compl dte timezone', 'completion time zone', 'completion date time zone'],
    },
    {
      // Found beside the column of dates: "Completion Time" alone is a column of whole moments.
      name: 'completed-at-time',
      kind: 'time',
      required: false,
      sent: false,
      aliases: [],
    },
    {
      name: 'content-title',
      kind: 'text',
      required: false,
      sent: false,
      aliases: [
        'course',
        'course name',
        'course title',
        'training title',
        'content title',
        'content name',
        'item title',
        'activity name',
        'learning course',
        'training course',
        'título de la capacitación',
        'training name',
        'training',
        ...HEADER_LANGUAGES.contentTitle,
      ],
    },
  ],

  learner: (record) => ({
    type: String(requiredField(record, 'user-identifier-type')),
    id: String(requiredField(record, 'user-id')),
  }),

  aboutLearner: (record, { type, id }) => ({
    fields: { ...record.fields, 'user-identifier-type': type, 'user-id': id },
  }),

  slot: (record) => [
    String(requiredField(record, 'content-type')),
    String(requiredField(record, 'content-id-type')),
    String(requiredField(record, 'content-id')),
  ],

  occurrence: 'completed-at',

  request: ([record]) => ({
    method: 'POST',
    path: '/api/v2/completions',
    body: { data: { type: 'completions', attributes: sentFields(record) } },
  }),
};

/** The attributes in the specification's order; a field the row didn't give is left out, a score of 0 is sent. */
function sentFields(record: NormalisedRecord): Record<string, unknown> {
  const sent = submitCompletion.fields.filter(
    (field) => field.sent && record.fields[field.name] !== undefined,
  );
  return Object.fromEntries(sent.map((field) => [field.name, record.fields[field.name]]));
}
