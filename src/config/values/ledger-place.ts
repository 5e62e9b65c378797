import { OperatorError } from '../../domain/operator-error.js';

export type LedgerPlace = { readonly file: string } | { readonly url: string };

export const DATABASE_ADDRESS = /^postgres(ql)?:\/\/[^/]+\/[^/?]+/;

/**
 * Reads where a ledger is to be: a file, the address of a database, or `${NAME}`, the variable with either.
 * Throws OperatorError, which never shows an address; an address with a password, which others could see, is refused.
 * @param option the option that says it, for messages.
 */
export function ledgerPlace(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  option: string,
): LedgerPlace {
  const [, name] = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(text) ?? [];
  const place = name === undefined ? text : env[name];
  if (!place) {
    const how = name === undefined ? 'is empty' : `names the variable ${name}, which is not set`;
    throw refusal(option, how, 'Name a file, or the variable with the address of a database.');
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return { file: place };
  if (!DATABASE_ADDRESS.test(place) || !URL.canParse(place)) {
    const how = 'is neither a file nor the address of a PostgreSQL database';
    throw refusal(option, how, 'An address is written postgres://user@host/database.');
  }
  if (name === undefined && new URL(place).password !== '') {
    const hint = `Put the address into a variable, such as REGISTRAR_NEW_LEDGER_URL, and write ${option} '\${REGISTRAR_NEW_LEDGER_URL}', in these quotes.`;
    throw refusal(option, 'has a password, which other users of this machine can see', hint);
  }
  return { url: place };
}

function refusal(subject: string, how: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'read the options', subject, message: `${subject} ${how}`, hint });
}
