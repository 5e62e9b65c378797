/** One or two command lines for each command's help, of what people mostly want; a test parses them. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  rerun: [
    'registrar rerun --state rejected,failed --run 12 --dry-run',
    'registrar rerun --learner jane@example.com --because "her account is there now"',
  ],
  dismiss: ['registrar dismiss --row 17 18 --because "test accounts"'],
  map: ['registrar map', 'registrar map jane@old.example jane@new.example --because "she has married"'],
};
