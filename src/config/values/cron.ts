interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Three letters or the whole word, lower case; the first stands for `least`. */
  readonly words: readonly string[];
  /** Forms of day fields that are more than numbers: last day, nearest weekday, n-th weekday. */
  readonly special: RegExp | null;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const FIELDS: readonly CronField[] = [
  { name: 'second', least: 0, most: 59, words: [], special: null },
  { name: 'minute', least: 0, most: 59, words: [], special: null },
  { name: 'hour', least: 0, most: 23, words: [], special: null },
  {
    name: 'day of month',
    least: 1,
    most: 31,
    words: [],
    special: /^(\?|L|LW|([1-9]|[12]\d|3[01])W)$/i,
  },
  { name: 'month', least: 1, most: 12, words: MONTHS, special: null },
  { name: 'day of week', least: 0, most: 7, words: WEEKDAYS, special: /^(\?|[0-7]L|[0-7]#[1-5])$/i },
];

/**
 * What is wrong with a cron expression of five fields, or six with seconds first, as the end of a sentence; null
 * when nothing is. Lists, ranges, steps, names of months and weekdays, and `L`, `W` and `#` in day fields are known.
 */
export function cronMistake(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return 'must have five fields (minute, hour, day of month, month, day of week), or six with seconds first';
  }
  const fields = FIELDS.slice(FIELDS.length - parts.length);
  for (const [index, field] of fields.entries()) {
    for (const item of (parts[index] ?? '').split(',')) {
      if (!isItem(item, field)) {
        return `has ${JSON.stringify(item)} as ${field.name}, which takes ${field.least} to ${field.most}, *, lists, ranges and steps such as */2`;
      }
    }
  }
  return null;
}

function isItem(item: string, field: CronField): boolean {
  if (field.special?.test(item)) return true;
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0) return false;
  const ends = range === '*' ? [] : range.split('-');
  if (ends.length > 2 || !ends.every((end) => isValue(end, field))) return false;
  if (step === undefined) return true;
  // A step needs something to step through.
  return ends.length !== 1 && /^\d{1,2}$/.test(step) && Number(step) >= 1 && Number(step) <= field.most;
}

function isValue(text: string, field: CronField): boolean {
  if (/^\d{1,2}$/.test(text)) return Number(text) >= field.least && Number(text) <= field.most;
  const word = text.toLowerCase();
  return field.words.some((name) => word === name || word === name.slice(0, 3));
}
