import { HEADER_LANGUAGES } from './header-languages.js';
import { type Operation, type PlatformRequest, requiredField } from './operation.js';

/**
 * An operation on the skills of one content: {base_url}/api/v2/content/{content_id}/relationships/skills
 * (specification §2.1, §4.1). The body takes a list, so the rows of one content share a request. Adding and deleting
 * set the same relationship: they are one family, and only the latest of a content and a skill matters.
 */
export function skillOperation(
  name: string,
  method: PlatformRequest['method'],
  notShown?: string,
): Operation {
  return {
    name,
    ...(notShown === undefined ? {} : { notShown }),
    scope: 'content:write',
    family: 'skills',
    kind: 'state',
    fields: [
      {
        name: 'content-id',
        kind: 'identifier',
        required: true,
        sent: true,
        inPath: true,
        aliases: [
          'content id',
          'content',
          'course id',
          'course code',
          'item id',
          'external content id',
          ...HEADER_LANGUAGES.contentId,
        ],
      },
      {
        // The name is also the skill's identifier (specification §2.1).
        name: 'skill',
        kind: 'list',
        required: true,
        sent: true,
        aliases: ['skill', 'skills', 'skill name', 'skill names', 'skill id', 'tags'],
      },
    ],
    learner: () => null,
    aboutLearner: (record) => record,
    slot: (record) => [contentOf(record), skillOf(record)],
    occurrence: null,
    parts: (record) =>
      skillOf(record)
        .split('\n')
        .map((skill) => ({ fields: { ...record.fields, skill } })),
    sharing: {
      // The specification shows no bound; a body of a hundred names stays well below what any server takes.
      most: 100,
      group: (record) => [contentOf(record)],
      // A refusal of the content is one of all its skills.
      isNamed: (record, index, source) =>
        source === skillOf(record) || source === contentOf(record) || isPointerTo(index, source),
    },
    request: (records) => ({
      method,
      path: `/api/v2/content/${encodeURIComponent(contentOf(records[0]))}/relationships/skills`,
      body: { data: records.map((record) => ({ id: skillOf(record), type: 'skills' })) },
    }),
  };
}

function contentOf(record: Parameters<Operation['slot']>[0]): string {
  return String(requiredField(record, 'content-id'));
}

function skillOf(record: Parameters<Operation['slot']>[0]): string {
  return String(requiredField(record, 'skill'));
}

/** How JSON:API points to an entry of the body's list, or to something in it. */
function isPointerTo(index: number, source: string): boolean {
  const [data, entry] = source.replace(/^\//, '').split('/', 2);
  return data === 'data' && entry === String(index);
}
