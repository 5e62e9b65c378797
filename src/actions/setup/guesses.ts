/** A value that a set-up has guessed: its key in registrar.yaml, and the value as it is written there. */
export interface Guess {
  readonly key: string;
  readonly value: string;
}

/**
 * The guesses in a registrar.yaml that a set-up has written: the values whose comment says `confirm:`. Read from the text, so
 * that what a person is told to confirm is what the file marks.
 */
export function guessesIn(yaml: string): readonly Guess[] {
  return [...yaml.matchAll(GUESS)].map(([, key = '', value = '']) => ({ key, value }));
}

const GUESS = /^ *([\w-]+): ("(?:[^"\\]|\\.)*"|\[.*?\]|[^\s"[]\S*) {2}# .*\bconfirm: /gm;

/** The keys whose guesses no check of a file can judge, and without which it can't call the file clean. */
export function decisiveKeys(guesses: readonly Guess[]): readonly string[] {
  return guesses.map(({ key }) => key).filter((key) => !HARMLESS.has(key));
}

/** No row is refused for these: a wrong token host stops the delivery, and a wrong zone shifts times. */
const HARMLESS: ReadonlySet<string> = new Set(['authUrl', 'timeZone']);
