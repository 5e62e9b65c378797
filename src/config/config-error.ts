import { OperatorError } from '../domain/operator-error.js';

/** One line for each mistake, in the order of the file. */
export class ConfigError extends OperatorError {
  readonly mistakes: readonly string[];

  constructor(file: string, mistakes: readonly string[], hint = '') {
    super({ operation: 'read the configuration', subject: file, message: mistakes.join('\n'), hint });
    this.mistakes = mistakes;
  }
}
