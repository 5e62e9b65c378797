import { type ConsoleConfig, consoleSchema } from '../../src/config/schema/console-schema.js';

/** Settings of a console as registrar.yaml gives them, with the defaults for what isn't said. */
export function consoleSettings(settings: object): ConsoleConfig {
  return consoleSchema.parse(settings);
}
