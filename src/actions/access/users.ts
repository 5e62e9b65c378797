import { userNameMistake } from '../../domain/access/user-name.js';
import { OperatorError } from '../../domain/operator-error.js';

/** Short ones are guessed from a stolen hash, whatever it costs. */
const MIN_LETTERS = 12;
/** What a sign-in reads. */
const MAX_LETTERS = 1_024;

/** What is wrong with a new password, as the end of a sentence; null when nothing is. */
export function passwordMistake(password: string, name: string): string | null {
  const letters = [...password].length;
  if (letters < MIN_LETTERS) return `is shorter than ${MIN_LETTERS} characters`;
  if (letters > MAX_LETTERS) return `is longer than ${MAX_LETTERS} characters`;
  if (/\p{Cc}/u.test(password)) return 'has a character that can’t be typed, such as a line end';
  return password.toLowerCase().replaceAll(name.toLowerCase(), '') === '' ? 'is the name' : null;
}

/** Throws OperatorError for a text that is no sign-in name. */
export function requireUserName(name: string): void {
  const mistake = userNameMistake(name);
  if (mistake === null) return;
  throw new OperatorError({
    operation: 'hash a password',
    subject: name,
    message: `"${name}" ${mistake}`,
    hint: 'Choose another name.',
  });
}
