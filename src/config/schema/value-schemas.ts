import { isObject } from '../../domain/text/is-object.js';
import { durationMs } from '../values/duration.js';
import { sizeBytes } from '../values/file-size.js';
import { timeZoneMistake } from '../values/time-zone.js';
import { z } from '../zod.js';

/** Eight digits of days are still a safe integer of milliseconds. */
const durationText = z
  .string()
  .regex(/^\d{1,8}(ms|s|m|h|d)$/, 'is not a length of time such as 30s, 15m, 12h or 7d');

/** A length of time such as `30s`, `15m`, `7d`; milliseconds once read. The title is its type in the reference. */
export const duration = durationText.meta({ title: 'length of time' }).transform(durationMs);

/** A length of time that bounds or divides something, where 0 would make no sense. */
export const positiveDuration = durationText
  .refine((text) => durationMs(text) !== 0, 'must be longer than 0s')
  .meta({ title: 'length of time' })
  .transform(durationMs);

/** Bytes once read. */
export const fileSize = z
  .string()
  .regex(/^\d{1,6}(kB|MB|GB)$/, 'is not a size such as 500MB or 2GB')
  .refine((text) => sizeBytes(text) !== 0, 'must be larger than 0')
  .meta({ title: 'size' })
  .transform(sizeBytes);

export const timeZone = checked(timeZoneMistake).meta({ title: 'IANA time zone' });

export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day such as 08:30 or 18:00')
  .meta({ title: 'time of day' });

/** Name of a source or an environment; a source's is a folder too. */
export const nameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/i,
    'is not a name: letters, digits, dots, dashes and underscores, up to 64, the first a letter or digit',
  );

/** The rule returns the end of a sentence, or null. */
export function checked(mistakeIn: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const message = mistakeIn(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });
}

/** What describes a value that is as secret as a password: no message shows it. */
export const SECRET = { writeOnly: true } as const;

/** A secret, which registrar.yaml holds as a reference alone: a literal one is refused before. */
export const secretReference = z
  .string()
  .min(1)
  .meta({ pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$' })
  .optional();

export const text = z.string().min(1);

export const optionalText = text.optional();

export const count = z.int().min(0);

export const positiveCount = z.int().min(1);

export const percent = positiveCount.max(100);

export const port = positiveCount.max(65_535);

/** A file of authorities for the hosts beside it. */
export const caFile = optionalText.describe(
  'file of certificates (PEM) to trust in addition to those of Node.js; relative to the workspace',
);

/** Refuses a secret that both its reference and its file (`keyFile`) give or, where it is needed, neither. */
export function requireOneSecret(
  context: z.RefinementCtx,
  section: Readonly<Record<string, unknown>>,
  key: string,
  isNeeded: boolean,
): void {
  const [reference, file] = [section[key], section[`${key}File`]];
  if (reference !== undefined && file !== undefined) {
    const message = `can’t be combined with ${key}; keep one`;
    context.addIssue({ code: 'custom', path: [`${key}File`], message });
  }
  if (isNeeded && reference === undefined && file === undefined) {
    context.addIssue({ code: 'custom', path: [key], message: MISSING });
  }
}

/** The message of a rule by which a key is needed; what the key is for follows it. */
export const MISSING = 'is missing';

/** For rules between the keys of a map: they apply although a value is refused, so that all mistakes are reported together. */
export const ALWAYS = { when: ({ value }: { readonly value: unknown }) => isObject(value) };

export function folderMistake(folder: string): string | null {
  if (folder.trim() === '') return 'is empty; write a folder or remove the key';
  return /^~/.test(folder) ? `begins with ~, which only a shell understands; write \${HOME} instead` : null;
}

/** @param what stops meanwhile. */
export function paused(what: string) {
  return optionalText.describe(
    `reason for a pause, such as "the vendor migrates until Monday": while this key is set, ${what}`,
  );
}
