import { posix, resolve, sep } from 'node:path';
import type { Operation } from '../../operations/operation.js';
import { findOperation } from '../../operations/registry.js';
import { suggestion } from '../did-you-mean.js';
import { globMatcher } from '../values/glob.js';
import { httpsFileName } from '../values/https-file-name.js';
import { inboxFolder, realFolder } from '../values/inbox-folder.js';
import { jobName } from '../values/job-name.js';
import type { ConfigDraft, SourceDraft } from './draft.js';
import { formatPath, type Mistake, type Path } from './mistake.js';

/**
 * @param mailChannels names of the channels of alerts that have a mail server.
 * @param workspace the folder that relative inboxes start from.
 */
export function checkSources(
  draft: ConfigDraft,
  mailChannels: readonly unknown[],
  workspace: string,
): readonly Mistake[] {
  return [
    ...checkNames(draft),
    ...checkInboxes(draft, workspace),
    ...checkRemotes(draft),
    ...checkResults(draft, mailChannels, workspace),
    ...checkSchedule(draft),
    ...draft.sources.flatMap((source, index) => {
      const path = ['sources', index];
      const names = Object.keys(draft.environments);
      const environment = unknownName(source.environment, names, 'environments', [...path, 'environment']);
      const operation = source.operation === undefined ? undefined : findOperation(source.operation);
      if (operation === undefined) return environment;
      return [
        ...environment,
        ...checkFields(operation, source.columns, [...path, 'columns']),
        ...checkFields(operation, source.defaults, [...path, 'defaults']),
        ...checkDefaults(operation, source.defaults, [...path, 'defaults']),
      ];
    }),
  ];
}

/** @returns the mistake of a name that a list of names doesn't have; [] where there is none. */
export function unknownName(
  name: string | undefined,
  names: readonly string[],
  list: string,
  path: Path,
): Mistake[] {
  // Without any names, that is the mistake to report.
  if (name === undefined || names.length === 0 || names.includes(name)) return [];
  return [{ path, text: `is not one of ${list}${suggestion(name, names)}`, showValue: true }];
}

/** Compared without case: two names that differ in case alone are one folder on some disks. */
function checkNames(draft: ConfigDraft): Mistake[] {
  return repeated(draft.sources.map(({ name }) => name?.toLowerCase())).map(([index, first]) => ({
    path: ['sources', index, 'name'],
    text: `is already the name of ${formatPath(['sources', first])} (case is ignored); choose another`,
    showValue: true,
  }));
}

function checkInboxes(draft: ConfigDraft, workspace: string): Mistake[] {
  const folders = draft.sources.map(({ name, inbox }) =>
    name === undefined ? undefined : realFolder(inboxFolder(workspace, { name, inbox })),
  );
  const names = draft.sources.map(({ name }) => name?.toLowerCase());
  return repeated(folders)
    .filter(([index, first]) => names[index] !== names[first])
    .map(([index, first]) => {
      const own = draft.sources[index]?.inbox !== undefined;
      return {
        path: own ? ['sources', index, 'inbox'] : ['sources', index],
        text: `${own ? 'is' : 'reads'} the folder that ${formatPath(['sources', first])} reads; give each source its own`,
        showValue: own,
      };
    });
}

function checkRemotes(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ inbox, match }, index) => {
    if (typeof inbox !== 'object' || inbox.https === undefined || match === undefined) return [];
    const { url, file } = inbox.https;
    const name = httpsFileName(url, file);
    if (name === null || globMatcher(match)(name)) return [];
    const text = `fetches ${name}, which match of the source doesn't cover; write file, or widen match`;
    return [{ path: ['sources', index, 'inbox', 'https'], text }];
  });
}

function checkFields(operation: Operation, fields: SourceDraft['columns'], path: Path): Mistake[] {
  const names = operation.fields.map((field) => field.name);
  return Object.keys(fields ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: [...path, name],
      text: `is not a field of ${operation.name}${suggestion(name, names)}`,
    }));
}

function checkDefaults({ fields }: Operation, defaults: SourceDraft['defaults'], path: Path): Mistake[] {
  return Object.entries(defaults ?? {}).flatMap(([name, value]) => {
    const { kind, choices } = fields.find((field) => field.name === name) ?? {};
    const text = 'takes no default; dateOnly of the source sets the time of day of a date without one';
    if (kind === 'time') return [{ path: [...path, name], text }];
    if (value === undefined || choices === undefined) return [];
    if (choices.some((choice) => choice.toLowerCase() === value.toLowerCase())) return [];
    const unknown = `is not a value of this field${suggestion(value, choices)}`;
    return [{ path: [...path, name], text: unknown, showValue: true }];
  });
}

/** Registrar alone writes there. */
const OWN_FOLDERS = ['processing', 'archive', 'rejected'];

/** A target that no source reads, and a mail server where the target is mail. */
function checkResults(draft: ConfigDraft, mailChannels: readonly unknown[], workspace: string): Mistake[] {
  const read = draft.sources.map(({ name, inbox }) => [
    ...(name === undefined ? [] : [realFolder(inboxFolder(workspace, { name, inbox }))]),
    ...serverFolders(typeof inbox === 'object' ? inbox : {}),
  ]);
  const own = OWN_FOLDERS.map((folder) => realFolder(resolve(workspace, folder)));
  return draft.sources.flatMap(({ results }, index) => {
    if (results === undefined) return [];
    const path = ['sources', index, 'results'];
    const folder = results.folder === undefined ? null : realFolder(resolve(workspace, results.folder));
    if (folder !== null && own.some((kept) => `${folder}${sep}`.startsWith(`${kept}${sep}`))) {
      const text = 'is a folder that Registrar keeps for itself; choose another';
      return [{ path: [...path, 'folder'], text, showValue: true }];
    }
    const written = [...(folder === null ? [] : [folder]), ...serverFolders(results)];
    const reader = read.findIndex((folders) => folders.some((one) => written.includes(one)));
    const text = `is the inbox of ${formatPath(['sources', reader])}, which would import the results; choose another folder`;
    return [
      ...checkMail(results, mailChannels, [...path, 'mail']),
      ...(reader < 0 ? [] : [{ path: folder === null ? path : [...path, 'folder'], text }]),
    ];
  });
}

type ResultsDraft = NonNullable<SourceDraft['results']>;

function checkMail({ mail }: ResultsDraft, mailChannels: readonly unknown[], path: Path): Mistake[] {
  if (mail === undefined) return [];
  const { channel } = mail;
  if (channel !== undefined && !mailChannels.includes(channel))
    return [{ path: [...path, 'channel'], text: 'is not a channel of alerts with email', showValue: true }];
  return mailChannels.length > 0
    ? []
    : [{ path, text: 'needs a mail server: add a channel with email to alerts.channels' }];
}

/** Equal texts for the same folder of a server. */
function serverFolders({ sftp, s3 }: Pick<ResultsDraft, 'sftp' | 's3'>): string[] {
  return [
    ...(sftp ? [`${sftp.host.toLowerCase()}:${sftp.port}${posix.resolve('/~', sftp.folder)}`] : []),
    ...(s3 ? [`${s3.endpoint ?? ''} ${s3.bucket} ${s3.prefix.replace(/(?<!\/)\/+$/, '')}`] : []),
  ];
}

function checkSchedule({ sources, schedule }: ConfigDraft): Mistake[] {
  const names = sources.flatMap(({ name }) => name ?? []);
  const unknown = schedule.flatMap((entry, index) =>
    (entry.sources ?? []).flatMap((name, position) =>
      unknownName(name, names, 'sources', ['schedule', index, 'sources', position]),
    ),
  );
  const lines = schedule.map(({ cron, do: what, sources = [], timeZone }) =>
    cron === undefined || what === undefined ? undefined : jobName({ cron, do: what, sources, timeZone }),
  );
  const again = repeated(lines).map(([index, first]) => ({
    path: ['schedule', index],
    text: `is the same line as ${formatPath(['schedule', first])}; remove one of them`,
  }));
  return [...unknown, ...again];
}

/** Positions of values seen before, each with the position of the first. */
function repeated(values: readonly (string | undefined)[]): [index: number, first: number][] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return value === undefined || first === index ? [] : [[index, first] as [number, number]];
  });
}
