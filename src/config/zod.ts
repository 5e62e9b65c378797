import { z } from 'zod';

// Compiling a schema pays off for thousands of values; registrar.yaml is one.
z.config({ jitless: true });

export { z };
