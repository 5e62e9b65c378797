/** One or two command lines for each command's help, of what people mostly want; a test parses them. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {};
