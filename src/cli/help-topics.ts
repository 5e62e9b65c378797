import { EXIT_CODES } from '../domain/operator-error.js';
import { textTable } from '../report/text/layout.js';

/** What `registrar help` explains beside the commands. */
export const TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    `How a command ends; of several codes the first that applies:\n\n${textTable(
      ['CODE', 'NAME', 'MEANING'],
      EXIT_CODES.map(({ code, name, meaning }) => [code, name, meaning]),
    )}`,
  environment: () =>
    textTable(
      ['VARIABLE', 'WHAT IT DOES'],
      [
        ['REGISTRAR_WORKSPACE', 'the workspace, where --workspace names none'],
        ['any name', 'registrar.yaml reads it as ${NAME}, such as the client id and the client secret'],
        ['TZ', 'the time zone of the times that people read'],
        ['NO_COLOR', 'with any value: no colours'],
        ['CI', 'with any value but false and 0: no questions'],
        ['SUDO_USER', 'who is recorded with a decision that is made by sudo'],
        ['TMPDIR', 'the folder in which the demo makes its workspace'],
      ],
    ),
  selection: () =>
    [
      'rerun and dismiss take the rows that fit every option given; name at least one, or take --all.',
      '',
      textTable(
        ['OPTION', 'ROWS'],
        [
          ['--state rejected,failed', 'in one of these states'],
          ['--reason CODE', 'with this cause, as status and reports show it'],
          ['--learner ID, --content ID', 'of this learner, of this content'],
          ['--file NAME, --run N', 'from files of this name, from this run'],
          [
            '--since TIME, --until TIME',
            'from files imported from then on, before then: 2026-03-02 or 2026-03-02T08:00Z',
          ],
          ['--row 8 9 file.csv:217', 'these: submissions by their numbers, lines by file and number'],
        ],
      ),
      '',
      '--dry-run lists them and changes nothing.',
    ].join('\n'),
};

/** The text of a topic; null where there is none of this name. */
export function topicText(name: string): string | null {
  const text = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
  return text === undefined ? null : `${text()}\n`;
}
