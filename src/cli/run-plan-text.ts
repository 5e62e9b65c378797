import type { PlannedSource, RunPlan } from '../documents/run.js';
import { countOf } from '../domain/text/count-of.js';
import { inWords } from '../domain/text/duration-words.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { estimateWords } from '../report/status/delivery-estimate.js';
import { unmatchedText } from '../report/words/file-words.js';

const MAX_NAMED = 20;

export function runPlanText(plan: RunPlan): string {
  const { sources, unmatched, environments } = visibleStrings(plan);
  const unmatchedFiles = unmatchedText(unmatched);
  return [
    ...sources.flatMap(sourceLines),
    ...(unmatchedFiles === '' ? [] : [unmatchedFiles]),
    ...environments.map((estimate) =>
      estimate.rows === 0 ? `${estimate.environment}: nothing waits so far` : estimateWords(estimate),
    ),
    'Nothing was written, and nothing was sent.',
    '',
  ].join('\n');
}

function sourceLines({ source, files, remote, claimed, obstacle }: PlannedSource): string[] {
  const more = Math.max(0, files.length - MAX_NAMED) + Math.max(0, remote.length - MAX_NAMED);
  const nothing = files.length + remote.length === 0 && claimed === 0 && obstacle === null;
  return [
    nothing ? `${source}: no file to import` : `${source}: ${countOf(files.length, 'file')} in the inbox`,
    ...(obstacle === null ? [] : [`  would not be imported: ${obstacle.message}. ${obstacle.hint}`]),
    ...(claimed === 0 ? [] : [`  ${countOf(claimed, 'file')} that an earlier run has begun with`]),
    ...files.slice(0, MAX_NAMED).map(({ file, bytes, restsForMs }) => {
      const size = countOf(bytes, 'byte');
      return `  ${file}: ${size}${restsForMs === 0 ? '' : `; has to rest for ${inWords(restsForMs)} more`}`;
    }),
    ...remote.slice(0, MAX_NAMED).map(({ file, bytes }) => {
      const size = bytes === null ? '' : `: ${countOf(bytes, 'byte')}`;
      return `  ${file}${size}; is on the server, and would be fetched`;
    }),
    ...(more > 0 ? [`  … and ${more} more; --json lists all`] : []),
  ];
}
