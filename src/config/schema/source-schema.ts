import { SAME_KEY_RULES } from '../../domain/delivery/same-key.js';
import { OPERATIONS } from '../../operations/registry.js';
import { SCALE_NAMES } from '../../operations/score-scales.js';
import { PRESET_NAMES } from '../presets/preset-names.js';
import { datePatternMistake, hasShortYear } from '../values/date-pattern.js';
import { globMistake } from '../values/glob.js';
import { mailAddressMistake } from '../values/network/address.js';
import { LANGUAGES } from '../words/words.js';
import { z } from '../zod.js';
import { expectSchema } from './alerts-schema.js';
import { bucket, decryptSchema, inboxSchema, sftpAccount } from './inbox-schema.js';
import * as v from './value-schemas.js';

const mail = z.strictObject({
  to: v.checked(mailAddressMistake).meta({ title: 'mail address' }).describe('address of the sender'),
  channel: v.nameSchema
    .optional()
    .describe('channel of alerts whose mail server and address are used; default: the first one with email'),
  attach: z
    .boolean()
    .default(false)
    .describe(
      'true: the files are attached; they hold personal data. false: the mail has counts and a link to the console',
    ),
});

const resultsSchema = z
  .strictObject({
    folder: v
      .checked(v.folderMistake)
      .optional()
      .describe('folder, relative to the workspace; a folder outside it must exist'),
    sftp: z
      .strictObject({
        ...sftpAccount,
        folder: sftpAccount.folder.describe('folder on the server, which must exist'),
      })
      .optional()
      .describe('folder on an SFTP server'),
    s3: z.strictObject(bucket).optional().describe('folder in a bucket'),
    mail: mail.optional().describe('mail to the sender'),
    within: v.duration
      .prefault('1d')
      .describe(
        'the result is written this long after the import at the latest, even if rows are still waiting; it counts them',
      ),
  })
  .refine(
    ({ folder, sftp, s3, mail }) => [folder, sftp, s3, mail].filter((one) => one !== undefined).length === 1,
    'must have one of folder, sftp, s3 and mail',
  )
  .transform(({ within: withinMs, ...read }) => ({ ...read, withinMs }));

const statusPolicy = z
  .strictObject({
    completed: z.array(z.string()).default([]).describe('further words that mean completed'),
    notCompleted: z
      .array(z.string())
      .default([])
      .describe('further words that mean not completed; the row is skipped'),
    ignore: z
      .array(z.string())
      .default([])
      .describe('headers of columns beside the status to ignore, such as a Progress that may be below 100 %'),
    exempt: z
      .enum(['skip', 'completed'])
      .default('skip')
      .describe('what exempt, waived, expired and equivalent mean'),
  })
  .prefault({});

const control = z
  .strictObject({
    rows: z
      .strictObject({
        min: v.count.default(0).describe('minimum number of rows'),
        max: v.count.optional().describe('maximum number of rows; without it there is no limit'),
      })
      .refine(({ min, max }) => max === undefined || max >= min, {
        path: ['max'],
        message: 'is smaller than rows.min; make it larger, or rows.min smaller',
      })
      .describe('bounds of the number of rows'),
  })
  .optional();

/** A file with nearly all rows invalid is no export, or is read by the wrong columns. */
const invalid = z
  .strictObject({
    most: v.percent
      .default(95)
      .describe(
        'percentage of a file’s rows that may be invalid for the same cause; a file with more is refused. 100: no limit',
      ),
    from: v.positiveCount
      .default(1_000)
      .describe('the rule applies to files with at least this many data rows'),
  })
  .prefault({});

export const sourceKeys = z
  .strictObject({
    name: v.nameSchema.describe('name of the source, also of its folder in inbox/'),
    operation: z
      .enum(OPERATIONS.map((operation) => operation.name) as [string, ...string[]])
      .describe('what each record does on the platform'),
    environment: z.string().describe('name of the environment its records go to'),
    inbox: inboxSchema
      .optional()
      .describe(
        'folder to read instead of inbox/<name>/; may be on another file system. Or a map of folder and the server that files are fetched from',
      ),
    results: resultsSchema
      .optional()
      .describe(
        'where the result of each file goes: its accepted and its refused rows, the correction workbook and the counts (see docs/sources.md)',
      ),
    match: v
      .checked(globMistake)
      .default('*.{csv,tsv,txt,xlsx,zip,gz,pgp,gpg}')
      .describe('patterns of file names; case is ignored. * and ? match characters, {a,b} is a choice'),
    decrypt: decryptSchema
      .optional()
      .describe('keys for files that are encrypted with PGP (see docs/files.md)'),
    paused: v.paused('files stay in the inbox'),
    stableFor: v.duration.prefault('2s').describe('a file is imported once it hasn’t changed for this long'),
    poll: v.duration
      .prefault('2s')
      .describe(
        'how often `registrar schedule` looks for new files; 0s: only the schedule imports its files',
      ),
    largestFile: v.fileSize
      .prefault('2GB')
      .describe('files larger than this are refused and not read; written as 500MB or 2GB'),
    preset: z
      .enum(['none', ...PRESET_NAMES])
      .optional()
      .describe(
        'known export whose columns and settings apply (data/presets/); none: no preset applies. Without this key, a preset recognised by the header gives only its columns',
      ),
    timeZone: v.timeZone.optional().describe('IANA zone of times in the files that name none'),
    dateOrder: z
      .enum(['day-first', 'month-first', 'year-first'])
      .optional()
      .describe('order of day and month in numeric dates; without it, the whole column must prove the order'),
    datePatterns: z
      .array(v.checked(datePatternMistake))
      .default([])
      .describe(
        'how times are written, such as dd/MM/yyyy HH:mm (see Patterns of times); any other form is then refused',
      ),
    twoDigitYears: z
      .int()
      .min(1900)
      .max(2099)
      .optional()
      .describe('first of the hundred years that two-digit years mean; without it they are refused'),
    languages: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .optional()
      .describe(
        'languages of month names; default: all of these. A word that means two months in them is refused',
      ),
    zoneNames: z
      .record(z.string(), v.timeZone)
      .default({})
      .describe('zones that abbreviations in the files mean: { EST: America/New_York }'),
    earliest: z.iso
      .date('is not a day such as 2000-01-01')
      .default('2000-01-01')
      .describe('times before this day (UTC) are refused'),
    future: v.duration.prefault('1d').describe('times further ahead than this are refused'),
    dateOnly: z
      .enum(['start', 'noon', 'end'])
      .default('start')
      .describe('time of day of a date without one: 00:00, 12:00 or 23:59:59'),
    overlap: z
      .enum(['reject', 'earlier', 'later'])
      .default('reject')
      .describe('how to read a local time that happened twice or never, because clocks changed'),
    encoding: v
      .checked(encodingMistake)
      .optional()
      .describe(
        'encoding of text files, such as windows-1250; default: UTF-8, UTF-16 or, if nothing in the text contradicts it, Windows-1252',
      ),
    delimiter: v
      .checked(delimiterMistake)
      .optional()
      .describe(
        'separator between the cells of text files, any character such as ";", "\\t" or "^"; default: detected',
      ),
    quote: z
      .enum(['"', "'", 'none'])
      .optional()
      .describe('character around cells of text files; default: ". none: quotation marks are text'),
    rowEnd: v
      .checked(rowEndMistake)
      .optional()
      .describe('what ends rows of text files besides a line end, such as !##!, which is detected'),
    sheet: v.optionalText.describe('sheet to read; default: the only visible one whose header maps'),
    sheets: z
      .array(v.text)
      .min(1)
      .optional()
      .describe(
        'instead of sheet, if a table continues over several sheets: their names, or patterns with * and ?',
      ),
    scale: z
      .enum(SCALE_NAMES)
      .optional()
      .describe(
        'scale of plain score numbers: its first number becomes 0, its last 100; without it, the whole column must prove the scale. 85% and 9/10 need none',
      ),
    decimalMark: z
      .enum(['.', ','])
      .optional()
      .describe('decimal mark of scores; default: either, unless it could be a thousands separator'),
    scoreUnreadable: z
      .enum(['invalid', 'left-out'])
      .default('invalid')
      .describe(
        'what happens to a row whose score isn’t a number (a letter, a remark). left-out: the row is sent without a score, and reports count it',
      ),
    listSeparator: v.text
      .default(';')
      .describe('separator between the entries of a cell that lists several; a line end separates them too'),
    columns: z
      .record(z.string(), v.text.nullable())
      .default({})
      .describe('field: header, or null if no column is this field; the others are found by known headers'),
    defaults: z.record(z.string(), z.string()).default({}).describe('field: value where no column gives one'),
    noDate: z
      .enum(['invalid', 'skipped'])
      .default('invalid')
      .describe(
        'what happens to a row with neither a date of completion nor a status. skipped: it counts as not completed, for exports that list such rows too',
      ),
    status: statusPolicy.describe('what the words in the status column and beside it mean'),
    invalid: invalid.describe('which files are refused because their rows are invalid'),
    control: control.describe('how many rows its files should have'),
    expect: expectSchema.optional().describe('when files are expected; an alert reports a missing one'),
    amendments: z
      .enum(['hold', 'send'])
      .default('hold')
      .describe('what to do with a correction of a row already accepted'),
    sameKey: z
      .enum(SAME_KEY_RULES)
      .default('ask')
      .describe(
        'which of a file’s completions counts if rows have the same learner, content and time but different scores. ask: none until an operator decides; best: the highest score; last: the last row',
      ),
  })
  .superRefine(({ expect, timeZone, datePatterns, twoDigitYears, sheet, sheets, control }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    // The machine's zone is UTC on many servers: there a time without a zone would silently be hours off.
    if (expect?.by !== undefined && (expect.timeZone ?? timeZone) === undefined)
      refuse(['expect', 'timeZone'], v.MISSING);
    // A year of two digits is ambiguous without its century.
    const hasCentury = twoDigitYears !== undefined;
    if (!hasCentury && [datePatterns].flat().some((pattern) => hasShortYear(String(pattern))))
      refuse(['twoDigitYears'], v.MISSING);
    if (sheets !== undefined && sheet !== undefined)
      refuse(['sheets'], 'can’t be combined with sheet, which is short for one sheet; keep one of the two');
    // Each of several sheets is a drop, and the bounds are those of a drop.
    if (sheets !== undefined && control !== undefined)
      refuse(['control'], 'can’t be combined with sheets, each of which is counted by itself; remove it');
  }, v.ALWAYS);

/** One feed: a folder of files that become one operation's records for one environment. */
export const sourceSchema = sourceKeys.transform(
  ({ stableFor: stableForMs, poll: pollMs, largestFile: largestFileBytes, future: futureMs, ...read }) => {
    return { ...read, stableForMs, pollMs, largestFileBytes, futureMs };
  },
);

function encodingMistake(label: string): string | null {
  try {
    new TextDecoder(label);
    return null;
  } catch {
    return 'is not an encoding that can be read; write one such as utf-8, utf-16le or windows-1252';
  }
}

function rowEndMistake(mark: string): string | null {
  if (mark === '') return 'is empty; write what ends a row, or remove the key';
  if (mark.length > MAX_ROW_END_CHARS) return `is longer than ${MAX_ROW_END_CHARS} characters`;
  if (/["\r\n]/.test(mark)) return 'holds a quotation mark or a line end; leave the line end behind it out';
  return /^[,;\t|]$/.test(mark) ? 'is a delimiter' : null;
}

function delimiterMistake(delimiter: string): string | null {
  if (delimiter === '') return 'is empty; write the characters between cells, or remove the key';
  if (delimiter.length > MAX_DELIMITER_CHARS) return `is longer than ${MAX_DELIMITER_CHARS} characters`;
  if (/[\p{L}\p{N}]/u.test(delimiter)) return 'holds a letter or a digit; a tab is written "\\t"';
  return /["'\\\r\n]/.test(delimiter) ? 'holds a quotation mark, a backslash or a line end' : null;
}

const MAX_DELIMITER_CHARS = 4;

const MAX_ROW_END_CHARS = 16;
