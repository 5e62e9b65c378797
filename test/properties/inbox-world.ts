import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { keptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import { draws } from '../simulation/draws.js';
import { csvOf, exportRows } from '../support/exports.js';
import type { IntakeBench } from '../support/intake-bench.js';

/** Events of people and programs in an inbox, and the required outcome. */
export interface InboxWorld {
  /** One thing happens, drawn at random. */
  act(): void;
  /** Lets all senders finish what they began, and removes what stops their files. */
  quieten(): void;
  /** Files neither imported nor reported, and rows imported without having been sent; none: []. */
  breaches(): Promise<string[]>;
  /** What has happened, for the analysis of a failure. */
  readonly log: readonly string[];
}

/** A file that a sender writes bit by bit. */
interface Sender {
  readonly number: number;
  inode: number;
  /** Open until all is written; null from then on. */
  file: number | null;
  text: string;
  written: number;
  /** The file was removed or overwritten: it need not come in. */
  isGone: boolean;
}

export function inboxWorld(seed: number, bench: IntakeBench): InboxWorld {
  const drawn = draws(`inbox ${seed}`);
  const senders: Sender[] = [];
  const log: string[] = [];
  const outside = join(bench.paths.root, 'outside');
  mkdirSync(outside, { recursive: true });
  mkdirSync(bench.inbox, { recursive: true });
  const victim = join(outside, 'victim.csv');
  const victimText = csvOf(exportRows(3, VICTIM_ROWS));
  writeFileSync(victim, victimText, { mode: 0o644 });
  let rows = 0;

  const text = () => {
    const count = drawn.magnitude(1, 500);
    rows += count;
    // Files that begin alike and are cut before they differ are one file to the receiver.
    return `Export ${rows}\n${csvOf(exportRows(count, rows - count))}`;
  };
  /** Of the files there, or something new: a newer file of an old name is as usual as one of a new name. */
  const path = () => {
    const names = readdirSync(bench.inbox).filter((name) => name.endsWith('.csv'));
    const [first, ...others] = names;
    return join(bench.inbox, first === undefined ? 'first.csv' : drawn.pick([first, ...others]));
  };
  const ofInode = (inode: number) => senders.filter((sender) => sender.inode === inode);
  /** The next file destroys the present one of that name. */
  const forgetAt = (where: string) => {
    const stat = lstatSync(where, { throwIfNoEntry: false });
    if (stat) for (const sender of ofInode(stat.ino)) sender.isGone = true;
  };
  /** Another writes into the file from now on. */
  const leave = (sender: Sender) => {
    sender.isGone = true;
    if (sender.file !== null) closeSync(sender.file);
    sender.file = null;
  };
  const write = (sender: Sender, upTo: number) => {
    if (sender.file === null) return;
    writeSync(sender.file, sender.text.slice(sender.written, upTo));
    sender.written = Math.max(sender.written, upTo);
    if (sender.written < sender.text.length) return;
    closeSync(sender.file);
    sender.file = null;
  };
  const begin = (where: string, flags: string, content: string): Sender => {
    const file = openSync(where, flags, 0o644);
    const sender: Sender = {
      number: senders.length,
      inode: fstatSync(file).ino,
      file,
      text: content,
      written: 0,
      isGone: false,
    };
    senders.push(sender);
    return sender;
  };
  const someOpen = (): Sender | undefined => {
    const open = senders.filter(({ file }) => file !== null);
    return open[drawn.between(0, Math.max(0, open.length - 1))];
  };
  const foreignEntry = (where: string) => {
    forgetAt(where);
    rmSync(where, { force: true, recursive: true });
    const kind = drawn.pick(['link', 'hard link', 'pipe', 'folder', 'device link']);
    if (kind === 'link') symlinkSync(victim, where);
    if (kind === 'hard link') linkSync(victim, where);
    if (kind === 'pipe') execFileSync('mkfifo', [where]);
    if (kind === 'folder') mkdirSync(where);
    if (kind === 'device link') symlinkSync('/dev/zero', where);
    return kind;
  };

  const events: readonly (readonly [string, number, () => unknown])[] = [
    [
      'create',
      6,
      () => {
        const sender = begin(
          join(bench.inbox, `${drawn.between(1, 50)}.csv`),
          'wx',
          drawn.chance(0.2) ? (senders[0]?.text ?? text()) : text(),
        );
        write(sender, drawn.chance(0.2) ? sender.text.length : drawn.between(LEAST, sender.text.length));
        return sender.number;
      },
    ],
    [
      'grow',
      5,
      () => {
        const sender = someOpen();
        if (sender) write(sender, drawn.between(sender.written, sender.text.length));
        return sender?.number;
      },
    ],
    [
      'replace',
      3,
      () => {
        const where = path();
        const sender = begin(join(bench.inbox, '.new.tmp'), 'w', text());
        write(sender, drawn.chance(0.7) ? sender.text.length : drawn.between(LEAST, sender.text.length));
        forgetAt(where);
        try {
          renameSync(join(bench.inbox, '.new.tmp'), where);
        } catch (error) {
          leave(sender);
          rmSync(join(bench.inbox, '.new.tmp'));
          throw error;
        }
        return sender.number;
      },
    ],
    [
      'write anew',
      2,
      () => {
        const where = path();
        if (!lstatSync(where).isFile() || statSync(where).nlink > 1) return null;
        forgetAt(where);
        const sender = begin(where, 'r+', text());
        ftruncateSync(sender.file ?? -1);
        for (const other of ofInode(sender.inode)) if (other !== sender) leave(other);
        write(sender, drawn.between(LEAST, sender.text.length));
        return sender.number;
      },
    ],
    [
      'write anew what is held open',
      2,
      () => {
        const sender = someOpen();
        if (!sender || sender.file === null) return null;
        for (const other of ofInode(sender.inode)) if (other !== sender) leave(other);
        sender.isGone = true;
        ftruncateSync(sender.file, 0);
        const next = begin(join(outside, 'unused'), 'w', text());
        closeSync(next.file ?? -1);
        const { file } = sender;
        sender.file = null;
        // A file without a name belongs to no sender.
        const isGone = fstatSync(file).nlink === 0;
        Object.assign(next, { inode: sender.inode, file: null, written: next.text.length, isGone });
        writeSync(file, next.text, 0);
        closeSync(file);
        return next.number;
      },
    ],
    ['strange', 3, () => foreignEntry(path())],
    [
      'delete',
      1,
      () => {
        const where = path();
        forgetAt(where);
        rmSync(where, { recursive: true });
      },
    ],
    [
      'delete in processing',
      1,
      () => {
        const folder = join(bench.paths.processing, 'academy');
        const name = readdirSync(folder).find((entry) => /^[0-9a-f]{8}-/.test(entry));
        if (name === undefined) return null;
        forgetAt(join(folder, name));
        rmSync(join(folder, name), { recursive: true });
        return name;
      },
    ],
    [
      'chmod',
      2,
      () => {
        const where = path();
        const isOwn = lstatSync(where).isFile() && statSync(where).nlink === 1;
        if (isOwn) chmodSync(where, drawn.pick([0, 0o200, 0o600, 0o644]));
      },
    ],
    [
      'chmod what is held open',
      1,
      () => fchmodSync(someOpen()?.file ?? -1, drawn.pick([0, 0o200, 0o600, 0o644])),
    ],
    ['touch', 2, () => utimesSync(path(), drawn.pick([1e9, 2e9]), drawn.pick([1e9, 2e9, 4e9]))],
  ];
  const total = events.reduce((sum, [, weight]) => sum + weight, 0);

  return {
    log,
    act() {
      let at = drawn.random() * total;
      for (const [name, weight, happen] of events) {
        at -= weight;
        if (at >= 0) continue;
        try {
          log.push(`${name} ${happen() ?? ''}`);
        } catch (error) {
          // No file had that name, or one had.
          log.push(`${name}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
        }
        return;
      }
    },
    quieten() {
      for (const sender of senders) write(sender, sender.text.length);
      for (const folder of [
        bench.inbox,
        ...['processing', 'archive', 'rejected'].map((name) => join(bench.paths.root, name, 'academy')),
      ]) {
        for (const name of existsSync(folder) ? readdirSync(folder) : []) {
          const where = join(folder, name);
          const stat = lstatSync(where);
          if (stat.isFile() && stat.nlink === 1) chmodSync(where, 0o600);
          else if (folder === bench.inbox) rmSync(where, { recursive: true });
        }
      }
    },
    breaches: async () => [
      ...(await lost(senders, bench)),
      ...(readFileSync(victim, 'utf8') === victimText ? [] : ['the victim was changed']),
      ...((statSync(victim).mode & 0o777) === 0o644 ? [] : ['the victim has other rights']),
    ],
  };
}

/** So many letters distinguish each file from all others. */
const LEAST = 'Export 1000000'.length;

/** Rows of an undelivered file. */
const VICTIM_ROWS = 1_000_000;

async function lost(senders: readonly Sender[], bench: IntakeBench): Promise<string[]> {
  const known = new Set<string>();
  for (const { drop: dropId, state } of (await readBooks(bench.ledger, {})).files) {
    if (state !== 'published') continue;
    for await (const { cells } of keptRows(bench.ledger, dropId)) {
      for (const address of addressesIn(String(cells[0]))) known.add(address);
    }
  }
  const delivered = new Set(senders.flatMap(({ text }) => addressesIn(text)));
  const missing = senders
    .filter(({ isGone }) => !isGone)
    .flatMap(({ number, text }) => {
      const all = addressesIn(text);
      const absent = all.filter((address) => !known.has(address));
      if (absent.length === 0 || isUnresolvedRefusal(text, bench)) return [];
      return [
        `file ${number}: ${absent.length} of ${all.length} rows are lost, such as ${absent[0]}; it is in ${placesOf(text, bench).join(', ') || 'no place'}`,
      ];
    });
  const invented = [...known].filter((learner) => !delivered.has(learner));
  return [...missing, ...invented.map((learner) => `${learner} was delivered, but is in no file`)];
}

function addressesIn(text: string): string[] {
  return text.match(/learner\d+@example\.org/g) ?? [];
}

/** True when it is in rejected/ as a whole, with its reason. */
function isUnresolvedRefusal(text: string, bench: IntakeBench): boolean {
  const folder = join(bench.paths.rejected, 'academy');
  return placesOf(text, bench).some(
    (place) => place.startsWith('rejected/') && existsSync(join(folder, `${basename(place)}.reason.txt`)),
  );
}

/** Where in the workspace a file of this content is. */
function placesOf(text: string, { paths, inbox }: IntakeBench): string[] {
  const folders = [
    inbox,
    ...['processing', 'archive', 'rejected'].map((name) => join(paths.root, name, 'academy')),
  ];
  return folders
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((path) => lstatSync(path).isFile() && readFileSync(path, 'utf8') === text)
    .map((path) => relative(paths.root, path));
}
