/**
 * The page of `man registrar`, from the tables of the reference.
 * @param reference docs/reference.md, whose table of commands is compared with the program by a test.
 */
export function manPage(reference, version) {
  return [
    `.TH REGISTRAR 1 "" "Registrar ${version}" "User Commands"`,
    '.SH NAME',
    'registrar \\- import learning records, deliver them, and prove where every row went',
    '.SH SYNOPSIS',
    '.B registrar',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'Registrar imports the files that learning systems export, delivers their records to a learning platform within its quota,',
    'keeps each answer of the platform, and proves with a report where every row went.',
    'It works on a workspace: a folder with \\fIregistrar.yaml\\fR, \\fIinbox/\\fR and the ledger.',
    '.SH COMMANDS',
    ...commands(tableOf(reference, 'Commands')),
    '.SH EXIT STATUS',
    'The first that applies:',
    ...tableOf(reference, 'Exit codes').flatMap(([code, , meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B REGISTRAR_WORKSPACE',
    'the workspace, where \\fB\\-\\-workspace\\fR is left out',
    '.TP',
    '.B NO_COLOR',
    'no colours on a terminal',
    '.SH FILES',
    '.TP',
    '.I /etc/registrar/environment',
    'secrets of the services, where Registrar was installed as a package',
    '.TP',
    '.I /srv/registrar',
    'their workspace',
    '.SH SEE ALSO',
    '\\fI/usr/share/doc/registrar/docs\\fR',
    '',
  ].join('\n');
}

function commands(rows) {
  return rows.flatMap(([command, option, meaning, standard]) => {
    const heading = command === '' ? [] : [`.SS ${roff(command)}`];
    if (option === '') return [...heading, roff(meaning)];
    return [
      ...heading,
      '.TP',
      `.B ${roff(option)}`,
      roff(standard === '' ? meaning : `${meaning}; default: ${standard}`),
    ];
  });
}

/** The cells of the first table below a heading, without its head. */
function tableOf(reference, heading) {
  const [, section = ''] = reference.split(`\n## ${heading}\n`);
  const lines = section
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** A text of the reference in the language of man pages. */
function roff(text) {
  return text
    .replaceAll('`', '')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
