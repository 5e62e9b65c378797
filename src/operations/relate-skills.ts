import type { NormalisedRecord } from '../domain/record.js';
import { type Operation, requiredField } from './operation.js';

/** Add skills to content: publicly known, not in the specification. */
export const addSkills = skillOperation('add-skills');

/** Remove skills from content (specification §4.1). */
export const deleteSkills = skillOperation('delete-skills');

/** Specification §2.1, §4.1. Only the latest record for a content and a skill matters. */
function skillOperation(name: string): Operation {
  return {
    name,
    family: 'skills',
    kind: 'state',
    fields: [
      {
        name: 'content-id',
        kind: 'identifier',
        required: true,
        sent: true,
        inPath: true,
        headers: ['content-id', 'external-id', 'content'],
      },
      // The name is also the skill's identifier (specification §2.1).
      { name: 'skill', kind: 'list', required: true, sent: true, headers: ['skill'] },
    ],
    learner: null,
    content: { type: { is: 'content' }, id: 'content-id', part: 'skill' },
    occurrence: null,
    parts: (record) =>
      skillOf(record)
        .split('\n')
        .map((skill) => ({ fields: { ...record.fields, skill } })),
    // The specification shows no bound; a body of a hundred names stays well below what any server takes.
    maxPerRequest: 100,
  };
}

export function contentId(record: NormalisedRecord): string {
  return String(requiredField(record, 'content-id'));
}

export function skillOf(record: NormalisedRecord): string {
  return String(requiredField(record, 'skill'));
}
