import { SCHEDULED } from '../../../config/schema/schedule-schema.js';
import { choicesOf } from '../parts/fields.js';
import { settingsPageOf } from './change.js';
import { listAt, readConfigFile, type SettingField, settingNotFound, valueAt } from './setting-fields.js';

const TEXTS: readonly SettingField[] = [
  {
    name: 'cron',
    label: 'When',
    note: 'Five fields as in crontab, such as 0 7 * * 1-5: at 7:00 from Monday to Friday.',
    isRequired: true,
  },
  { name: 'timeZone', label: 'Time zone', note: 'Such as Europe/Berlin. Empty: the machine’s.' },
  { name: 'paused', label: 'Paused, because', note: 'Give a reason to pause the line. Empty: it runs.' },
];

/** What a line may do that is added here. To clear content, or to copy the ledger, is for who may change the file. */
const OFFERED = SCHEDULED.filter((what) => what !== 'purge' && what !== 'backup');

/** A line of the schedule by its number, or `new`. */
export const SCHEDULE_LINE_PAGE = settingsPageOf(
  '/settings/schedule/:line',
  (visit) => {
    const { line = '' } = visit.params;
    const file = readConfigFile(visit);
    const { length } = listAt(file, ['schedule']);
    const isNew = line === 'new';
    const at = ['schedule', isNew ? length : Number(line)];
    if (!isNew && valueAt(file, at) === undefined) throw settingNotFound(line);
    const works = [...new Set([...OFFERED, ...listAt(file, [...at, 'do']).map(String)])];
    const { sources } = visit.actionContext().config;
    const names = choicesOf(sources.map(({ name }) => name));
    return {
      title: isNew ? 'Add a line to the schedule' : 'Line of the schedule',
      at,
      settings: 'schedule[]',
      groups: [
        {
          fields: [
            ...TEXTS,
            { name: 'do', label: 'What to do', kind: 'boxes', choices: choicesOf(works) },
            { name: 'sources', label: 'Sources (none: all)', kind: 'boxes', choices: names },
          ],
        },
      ],
      isRemovable: !isNew,
    };
  },
  async () => '/schedule',
);
