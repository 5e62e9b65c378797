import type { Mapped, Mapping } from '../map.js';

/** A correction that is planned, as `map --dry-run --json` prints it. */
export function mappingDocument(mapping: Mapping) {
  return { ...documentOf(mapping), dryRun: true, made: 0, linked: 0, left: 0, standing: [] };
}

/** A correction that was carried out, as `map --json` prints it. */
export function mappedDocument({ mapping, made, linked, left, standing }: Mapped) {
  return { ...documentOf(mapping), dryRun: false, made, linked, left, standing };
}

/** The members of a mapping that every document has. Nothing in them is personal. */
function documentOf({ correction, rows, states, replacesEarlier }: Mapping) {
  return {
    oldType: correction.old.type,
    newType: correction.now.type,
    replacesEarlier,
    selected: rows.map(({ submissionId, state, code, file, line }) => ({
      submissionId,
      state,
      code,
      file,
      line,
    })),
    sending: states.sending ?? 0,
    accepted: states.accepted ?? 0,
  };
}
