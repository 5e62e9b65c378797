import type { NormalisedRecord } from '../../domain/record.js';
import { contentId, skillOf } from '../../operations/relate-skills.js';
import { CONTENT_WRITE } from '../scopes.js';
import type { PlatformCall, PlatformRequest } from './platform-call.js';

/** DELETE on the relationship (specification §4.1). */
export const deleteSkills: PlatformCall = skillsCall('DELETE');

/** PATCH on the relationship. */
export const patchSkills: PlatformCall = {
  ...skillsCall('PATCH'),
  notShown:
    'The specification shows how skills are deleted, not how they are added: PATCH on the same path is publicly known.',
};

/**
 * A call on {base_url}/api/v2/content/{content_id}/relationships/skills, whose body holds a list (specification §2.1,
 * §4.1).
 */
function skillsCall(method: PlatformRequest['method']): PlatformCall {
  return {
    scope: CONTENT_WRITE,
    request: (records) => ({
      method,
      path: `/api/v2/content/${encodeURIComponent(contentId(records[0]))}/relationships/skills`,
      body: { data: records.map((record) => ({ id: skillOf(record), type: 'skills' })) },
    }),
    // A refusal of the content refuses all its skills.
    isNamed: (record: NormalisedRecord, index, source) =>
      source === skillOf(record) || source === contentId(record) || isPointerTo(index, source),
  };
}

/** True for a JSON:API pointer to this entry of the body's list, or to a member of the entry. */
function isPointerTo(index: number, source: string): boolean {
  const [data, entry] = source.replace(/^\//, '').split('/', 2);
  return data === 'data' && entry === String(index);
}
