import { SCHEDULED } from '../../../config/schema/schedule-schema.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { boxesField, textField } from '../parts/fields.js';
import { type SettingsDoor, settingsPageOf } from './change.js';
import { listEdits, readWritten, shownIn, textEdit, writtenList } from './written.js';

const NEW = 'new';

const TEXTS = [
  ['cron', 'When', 'Five fields as in crontab, such as 0 7 * * 1-5: at 7:00 from Monday to Friday.'],
  ['timeZone', 'Time zone', 'Such as Europe/Berlin. Empty: the machine’s.'],
  ['paused', 'Paused, because', 'Give a reason to pause the line. Empty: it runs.'],
] as const;

/** What a line may do that is added here. To clear content, or to copy the ledger, is for who may change the file. */
const OFFERED: readonly string[] = SCHEDULED.filter((what) => what !== 'purge' && what !== 'backup');

const door: SettingsDoor = {
  path: '/settings/schedule/:line',
  title: (visit, context) =>
    lineOf(visit, context).isNew ? 'Add a line to the schedule' : 'Line of the schedule',
  fields(visit, context) {
    const { now, isNew } = lineOf(visit, context);
    return html`${TEXTS.map(([name, label, note]) => textField({ name, label, note, value: shownIn(visit, name, now[name]), isRequired: name === 'cron', setting: `schedule[].${name}` }))}
${boxesField('do', 'What to do', [...new Set([...OFFERED, ...textsOf(now.do)])], entered(visit, 'do', now.do))}
${boxesField(
  'sources',
  'Sources of a run; none: all',
  context.actionContext().config.sources.map(({ name }) => name),
  entered(visit, 'sources', now.sources),
)}
<input type="hidden" name="sent" value="yes">
${isNew ? '' : boxesField('remove', 'This line', ['remove'], entered(visit, 'remove', []))}`;
  },
  edits(visit, context): readonly YamlEdit[] {
    const { path, now, isNew } = lineOf(visit, context);
    if (entered(visit, 'remove', []).length > 0) return [{ path, value: undefined }];
    const texts = TEXTS.flatMap(([name]) => textEdit(visit, name, [...path, name], now[name]));
    if (!isNew) {
      const lists = ['do', 'sources'].map((name) =>
        listEdits([...path, name], now[name], ticked(visit, name, now)),
      );
      return [...texts, ...lists.flat()];
    }
    const line = Object.fromEntries(texts.map(({ path, value }) => [String(path.at(-1)), value]));
    const sources = ticked(visit, 'sources', now);
    const value = { ...line, do: ticked(visit, 'do', now), ...(sources.length === 0 ? {} : { sources }) };
    return [{ path, value }];
  },
  next: () => '/schedule',
};

export const SCHEDULE_LINE_PAGE = settingsPageOf(door);

function lineOf({ params: { line = '' } }: Visit, context: ConsoleContext) {
  const lines = writtenList(readWritten(context), ['schedule']);
  const isNew = line === NEW;
  const index = isNew ? lines.length : /^\d{1,4}$/.test(line) ? Number(line) : -1;
  if (!isNew && lines[index] === undefined) {
    throw new OperatorError({
      operation: 'find a setting',
      subject: line,
      message: 'the schedule has no such line',
      hint: 'Open Schedule.',
      reason: 'not-found',
    });
  }
  return {
    path: ['schedule', index] as const,
    now: (lines[index] ?? {}) as Readonly<Record<string, unknown>>,
    isNew,
  };
}

/** The boxes that are ticked: those that were sent, else those of registrar.yaml. A form without a ticked one sends none. */
function entered({ address: { query } }: Visit, name: string, now: unknown): readonly string[] {
  if (query.sent !== undefined) return (query[name] ?? '').split(',').filter((value) => value !== '');
  return textsOf(now);
}

/** The boxes of a list that are ticked, without what is not offered and was not there. */
function ticked(visit: Visit, name: string, now: Readonly<Record<string, unknown>>) {
  const old = textsOf(now[name]);
  return entered(visit, name, now[name]).filter(
    (value) => name !== 'do' || OFFERED.includes(value) || old.includes(value),
  );
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
