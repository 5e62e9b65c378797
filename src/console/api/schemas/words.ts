import { z } from 'zod';
import { UNTAKEN_CODES } from '../../../domain/files/untaken-file.js';
import { EXIT_CODES } from '../../../domain/operator-error.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { STATES } from '../../../domain/submission.js';

export const TEXT = z.string();

/** A value of a file or a record: whatever JSON can hold. */
export const ANY = z.unknown();

/** A whole number. */
export const COUNT = z.int();

/** The words of docs/cli-json.md. */
export const STATE = z.enum(STATES);
export const DISPOSITION = z.enum(DISPOSITIONS);
export const EXIT = z.enum(EXIT_CODES.map(({ name }) => name));
export const TRIGGER = z.enum(RUN_TRIGGERS);
export const RUN_END = z.enum(RUN_ENDS);
export const UNTAKEN = z.enum(UNTAKEN_CODES);

/** A state of a row as selections name it. */
export const SELECTABLE = z.enum([...STATES, 'invalid']);
