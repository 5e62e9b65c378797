import type { Words } from '../../support/worded-console.js';

/** Is in all personal data, and nowhere else. */
export const PERSONAL = /wolkenstein|7788991|ganzgeheim/i;

const NAME = 'Oswald Wolkenstein';

/** Texts of a workspace in which everything personal is marked. */
export const MARKED: Words = {
  // A transcript of one person, named by its address.
  file: 'march-oswald@ganzgeheim.example',
  sheet: 'Completions',
  content: 'C-1',
  header: `Supervisor ${NAME}`,
  cell: `${NAME} 7788991`,
  local: 'oswald.wolkenstein',
  domain: 'ganzgeheim.example',
  identifier: 'WOLKENSTEIN-7788991',
  reason: `Asked ${NAME} (oswald@ganzgeheim.example), 7788991`,
  operator: 'ada',
  group: 'office',
  platform: {
    detail: `${NAME} with 7788991 is no employee, oswald@ganzgeheim.example neither`,
    title: `No ${NAME}`,
    code: 'bad-request',
    source: `/data/WOLKENSTEIN-7788991`,
    id: 'WOLKENSTEIN-7788991',
  },
};
