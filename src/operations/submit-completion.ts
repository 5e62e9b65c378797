import type { Operation } from './operation.js';

/** Specification §2.2. Without learner, content or time a completion means nothing: they are required here. */
export const submitCompletion: Operation = {
  name: 'submit-completion',
  family: 'submit-completion',
  kind: 'occurrences',
  fields: [
    {
      name: 'user-id',
      kind: 'learner',
      required: true,
      sent: true,
      headers: ['email', 'login', 'user-id', 'employee-id', 'other-id'],
    },
    {
      name: 'user-identifier-type',
      kind: 'choice',
      required: true,
      sent: true,
      headers: [],
      choices: ['Email', 'UserId', 'EmployeeId', 'AliasUid', 'AliasEmail'],
      implied: {
        by: 'user-id',
        values: { email: 'Email', login: 'Email', 'employee-id': 'EmployeeId' },
        ifAddresses: ['login'],
      },
    },
    { name: 'content-id', kind: 'identifier', required: true, sent: true, headers: ['content-id'] },
    {
      name: 'content-id-type',
      kind: 'choice',
      required: true,
      sent: true,
      headers: [],
      choices: ['ExternalId', 'Id', 'ContentUrl'],
      fallback: 'ExternalId',
    },
    {
      name: 'content-type',
      kind: 'choice',
      required: true,
      sent: true,
      headers: [],
      // The specification's one example is in lower case; the others are publicly known in this casing.
      choices: ['course', 'Article', 'Book', 'Event', 'Video', 'Podcast', 'Assessment'],
      fallback: 'course',
    },
    { name: 'completed-at', kind: 'timestamp', required: true, sent: true, headers: ['completed-at'] },
    { name: 'percentile', kind: 'score', sent: true, headers: ['score', 'score-or-remark'] },
    { name: 'status', kind: 'status', headers: ['status'] },
    // "Time zone" may also mean the learner's own: such a column counts only where no setting and no note says otherwise.
    { name: 'completed-at-zone', kind: 'zone', headers: ['completed-at-zone', 'time-zone'] },
    // Found beside the column of dates: "Completion Time" alone is a column of whole moments.
    { name: 'completed-at-time', kind: 'time', headers: [] },
    { name: 'content-title', kind: 'text', headers: ['completion-title', 'content-title'] },
  ],

  learner: { type: 'user-identifier-type', id: 'user-id' },
  content: {
    type: { field: 'content-type' },
    idType: 'content-id-type',
    id: 'content-id',
    title: 'content-title',
  },
  occurrence: 'completed-at',
};
