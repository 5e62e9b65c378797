import { z } from 'zod';
import { UNTAKEN_CODES } from '../../../domain/files/untaken-file.js';
import { EXIT_CODES } from '../../../domain/operator-error.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';

export const TEXT = z.string();

/** A whole number. */
export const COUNT = z.int();

/** The words of docs/cli-json.md. */
export const EXIT = z.enum(EXIT_CODES.map(({ name }) => name));
export const TRIGGER = z.enum(RUN_TRIGGERS);
export const RUN_END = z.enum(RUN_ENDS);
export const UNTAKEN = z.enum(UNTAKEN_CODES);
