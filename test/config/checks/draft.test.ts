import { expect, test } from 'vitest';
import { type ConfigDraft, draftOf } from '../../../src/config/checks/draft.js';
import { configSchema } from '../../../src/config/schema.js';

const VALUE = {
  environments: {
    main: {
      baseUrl: 'https://platform.example/',
      authUrl: 'https://login.platform.example',
      clientId: 'client-7',
      clientSecret: 'kept',
      quota: { requests: 70, per: '1m', reserve: 5 },
      retry: { first: '1s' },
    },
    trial: {
      baseUrl: 'http://127.0.0.1:8070',
      authUrl: 'http://127.0.0.1:8070',
      clientId: 'client-8',
      clientSecretFile: 'secret',
    },
  },
  sources: [
    { name: 'academy', operation: 'submit-completion', environment: 'main', columns: { status: null } },
    {
      name: 'campus',
      operation: 'add-skills',
      environment: 'trial',
      inbox: { folder: '/srv/campus' },
      timeZone: 'Europe/Berlin',
      columns: { 'user-id': 'E-Mail' },
      defaults: { 'user-identifier-type': 'Email' },
      status: { completed: ['erledigt'] },
    },
  ],
  schedule: [{ cron: '*/15 * * * *', do: ['run'] }],
};

test.each([
  ['as it is read', configSchema.parse(VALUE)],
  ['the same without what the schema reads', undefined],
])('the rules between the parts see a configuration without mistakes %s', (_, config) => {
  const { environments, sources, schedule } = configSchema.parse(VALUE);
  const seen = ({ environments, sources, schedule }: ConfigDraft) => ({
    environments: Object.entries(environments).map(([name, { clientId, quota, baseUrl, authUrl }]) => {
      return { name, clientId, quota, baseUrl, authUrl };
    }),
    sources: sources.map(({ name, environment, operation, inbox, results, match, columns, defaults }) => {
      return { name, environment, operation, inbox, results, match, columns, defaults };
    }),
    schedule: schedule.map(({ cron, do: what, sources, timeZone }) => ({ cron, what, sources, timeZone })),
  });
  expect(seen(draftOf(VALUE, config))).toEqual(seen({ environments, sources, schedule }));
});
