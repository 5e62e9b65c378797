import fc from 'fast-check';

/** PROPERTY_SEED makes properties draw the same each time; without it they begin anywhere, and say where when they fail. */
const { PROPERTY_SEED } = process.env;

if (PROPERTY_SEED !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(PROPERTY_SEED) });
