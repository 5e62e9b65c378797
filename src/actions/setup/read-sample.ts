import { basename } from 'node:path';
import { parseConfig } from '../../config/load-config.js';
import { systemClock } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import { openDrop } from '../../intake/open-drop.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import {
  GIVEN_REASON,
  type GivenMapping,
  type InferredSample,
  inferSample,
  mappedCount,
} from '../../normalise/infer/infer-mapping.js';
import { zoneNamed } from '../../normalise/values/zone-names.js';
import type { Operation } from '../../operations/operation.js';
import { sampleRows } from '../../reading/plan-drop.js';
import { settingLines } from '../../report/words/preset-words.js';
import { workspacePaths } from '../../workspace/folders.js';
import { type CheckedFile, check } from '../check.js';
import type { ProcessContext } from '../context.js';
import { isUncovered, openQuestions, provenOrder } from './open-questions.js';
import type { SetupAnswers } from './setup-answers.js';

const SAMPLE_ROWS = 1_000;

export type SampleAnswers = Pick<SetupAnswers, 'columns' | 'defaults' | 'dateOrder' | 'scale'>;

/** How the columns of a sample file map; each finding has its reason. */
export type SampleFindings = Awaited<ReturnType<typeof readSample>>['findings'];

/** Reads from a sample file how its source is to be read. Throws OperatorError where the file has no header. */
export async function readSample(
  file: string,
  operation: Operation,
  answers: SampleAnswers = { columns: {}, defaults: {} },
  fileName = basename(file),
) {
  const opened = await openDrop(file, {});
  const sheets = await inferSheets(opened, operation, answers);
  const [best] = [...sheets].sort((a, b) => mappedCount(b.inferred) - mappedCount(a.inferred));
  if (!best) {
    throw errorsOf('read the sample')(
      file,
      `${fileName} has no line that looks like a header`,
      'Look at it: registrar inspect FILE. Or leave --sample out, and write the columns into registrar.yaml.',
      { exit: 'attention' },
    );
  }
  const others = sheets.flatMap(({ sheet }) =>
    sheet === best.sheet || sheet === null ? [] : [`"${sheet}"`],
  );
  const isOneOfSeveral = best.sheet !== null && others.length > 0;
  const settings: Settings = [
    ...orderSetting(best.inferred, operation, answers),
    ...zoneSetting(best.inferred),
    ...(opened.text?.fallback ? [{ key: 'encoding', value: opened.text.encoding, reason: NOT_SURE }] : []),
    ...(isOneOfSeveral
      ? [{ key: 'sheet', value: best.sheet, reason: `confirm: ${others.join(', ')} has a header too` }]
      : []),
    ...(answers.scale === undefined ? [] : [{ key: 'scale', value: answers.scale, reason: GIVEN_REASON }]),
  ];
  return {
    findings: { fileName, operation: operation.name, ...columnFindings(best.inferred), settings },
    questions: openQuestions(best.inferred, operation),
  };
}

/** Nothing in the file shows its encoding: a person should confirm it. */
const NOT_SURE = "confirm: the file isn't UTF-8; names in it should look right in `registrar inspect`";

/** The visible sheets that have a header; the whole file where it is text, as null. */
async function inferSheets(opened: OpenedDrop, operation: Operation, fixed: GivenMapping) {
  const visible = opened.workbook?.sheets.filter(({ state }) => state === 'visible') ?? [];
  const names = opened.workbook ? visible.map(({ name }) => name) : [null];
  const sheets: { readonly sheet: string | null; readonly inferred: InferredSample }[] = [];
  for (const sheet of names) {
    const inferred = inferSample(await sampleRows(opened, sheet ?? undefined, SAMPLE_ROWS), operation, fixed);
    if (inferred) sheets.push({ sheet, inferred });
  }
  return sheets;
}

function columnFindings(inferred: InferredSample) {
  const { columns, defaults, preset } = inferred;
  const marked = (reason: string, isGuess: boolean) => (isGuess ? `confirm: ${reason}` : reason);
  return {
    /** Of a known export. `settings`: the keys that naming the preset would set, in words. */
    preset: preset && {
      name: preset.name,
      title: preset.title,
      has: preset.has,
      settings: settingLines(preset.settings),
    },
    /** Fields that a record needs and that neither a column nor a default gives. */
    missing: columns.flatMap((column) =>
      isUncovered(column, inferred) ? [{ field: column.field, reason: column.reason }] : [],
    ),
    columns: columns.flatMap(({ field, header, reason, isDoubtful }) =>
      header === null ? [] : [{ field, header, reason: marked(reason, isDoubtful) }],
    ),
    defaults: defaults.map(({ field, value, reason, confirm }) => ({
      field,
      value,
      reason: marked(reason, confirm),
    })),
  };
}

/** Other settings that the source needs for such a file. */
type Settings = readonly { readonly key: string; readonly value: string; readonly reason: string }[];

function orderSetting(inferred: InferredSample, operation: Operation, answers: SampleAnswers): Settings {
  const key = 'dateOrder';
  if (answers.dateOrder !== undefined) return [{ key, value: answers.dateOrder, reason: GIVEN_REASON }];
  const proven = provenOrder(inferred, operation);
  return proven === null ? [] : [{ key, value: proven.order, reason: `${proven.header} proves it` }];
}

/** The zone of the preset, else the one that a line above the header names. */
function zoneSetting({ preset, zoneNotes: [note] }: InferredSample): Settings {
  const key = 'timeZone';
  const ofPreset = preset?.settings.timeZone;
  if (preset && ofPreset)
    return [
      { key, value: ofPreset, reason: `the zone that preset ${preset.name} is known to write times in` },
    ];
  const value = note && zoneNamed(note.words);
  return value && /^[A-Z]/.test(value)
    ? [{ key, value, reason: `line ${note.line} of the file names it` }]
    : [];
}

const SHOWN_ISSUES = 5;

/** What `check` says about a sample under the configuration that was built from it. */
export async function checkSample(
  file: string,
  yaml: string,
  folder: string,
  source: string,
  env: ProcessContext['env'],
): Promise<CheckedFile> {
  const { config } = parseConfig(yaml, folder, env, 'unused');
  const paths = workspacePaths(folder, config);
  return check({ config, paths, clock: systemClock() }, { file, source, limit: SHOWN_ISSUES });
}
