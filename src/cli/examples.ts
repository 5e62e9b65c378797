/** One or two command lines for each command's help, of what people mostly want; a test parses them. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  demo: ['registrar demo', 'registrar demo --operation create-course'],
  run: ['registrar run', 'registrar run --source academy --max-duration 50m --quiet   # for cron'],
  rerun: [
    'registrar rerun --state rejected,failed --run 12 --dry-run',
    'registrar rerun --learner jane@example.com --because "her account is there now"',
  ],
  dismiss: ['registrar dismiss --row 17 18 --because "test accounts"'],
  map: ['registrar map', 'registrar map jane@old.example jane@new.example --because "she has married"'],
  restage: ['registrar restage 3'],
  report: [
    'registrar report --run 12 --format html,xlsx --out /tmp/run-12',
    'registrar report --since 2025-10-01 --until 2025-11-01 --source academy',
  ],
  purge: ['registrar purge --before 2024-01-01 --dry-run'],
  forget: ['registrar forget jane@example.com --because "her request of 3 March"'],
  schedule: ['registrar schedule'],
};
