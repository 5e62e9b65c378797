import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { describeFailure } from '../../src/cli/describe-failure.js';
import { OperatorError } from '../../src/domain/operator-error.js';

const operatorError = (message: string, hint: string) =>
  new OperatorError({ operation: 'open the ledger', subject: 'registrar.db', message, hint, exit: 'io' });

it.each([
  ['the disk is gone', 'Mount it.', 'the disk is gone. Mount it.'],
  ['The disk is gone.', 'Mount it.', 'The disk is gone. Mount it.'],
  ['which disk?', 'Mount it.', 'which disk? Mount it.'],
  ['the disk is gone', '', 'the disk is gone'],
])('an operator error with message %j and hint %j reads %j', (message, hint, text) => {
  expect(describeFailure(operatorError(message, hint))).toEqual({
    text,
    document: { operation: 'open the ledger', subject: 'registrar.db', message, hint, exit: 'io' },
    exit: 'io',
  });
});

it.each([
  ['SQLITE_FULL', 'The disk is full'],
  ['ENOSPC', 'The disk is full'],
  ['EMFILE', 'Raise the limit of open files'],
  ['SQLITE_CORRUPT_INDEX', 'Restore it from a backup'],
  ['SQLITE_BUSY_SNAPSHOT', 'keeps the ledger locked'],
  ['SQLITE_IOERR_FSYNC', 'Check the disk'],
  ['EACCES', 'who owns the workspace'],
])('%s is a fault of the disk or the database', (code, hint) => {
  const failure = describeFailure(Object.assign(new Error('low-level words'), { code }));
  expect(failure.exit).toBe('io');
  expect(failure.text).toContain(hint);
  expect(failure.text).not.toContain('bug');
});

it('the message about a full disk names what is on it', () => {
  const full = Object.assign(new Error('database or disk is full'), {
    code: 'SQLITE_FULL',
    path: '/w/registrar.db',
  });
  expect(describeFailure(full).text).toBe(
    "The disk is full: /w/registrar.db can't grow. Make room and run again: nothing is lost.",
  );
});

it('anything else is a bug and keeps its stack', () => {
  for (const error of [
    new TypeError('x is not a function'),
    Object.assign(new Error('odd'), { code: 'ODD' }),
    'text',
  ]) {
    const { exit, text } = describeFailure(error);
    expect([exit, text.startsWith('a bug in Registrar: ')]).toEqual(['bug', true]);
  }
  expect(describeFailure(new TypeError('x is not a function')).text).toMatch(/\n +at /);
});

it('an invalid command line is a usage error in plain words', () => {
  const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--al'");
  expect(describeFailure(error)).toMatchObject({ text: "unknown option '--al'", exit: 'usage' });
  const none = new CommanderError(1, 'commander.help', '(outputHelp)');
  expect(describeFailure(none).text).toBe('no command was given');
});
