import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import type { Mentions } from '../domain/text/mentions.js';
import { containerKind, headOf, isZip } from '../intake/kind-of-file.js';
import { openDrop } from '../intake/open-drop.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';

/** A file of the workspace that names the person; where `isSure` is false, it couldn't be searched, and only may. */
export type NamingFile = Awaited<ReturnType<typeof filesNaming>>[number];

/** Searches all files below some folders: workbooks by cells, others as UTF-8, UTF-16 and Windows-1252 text. */
export async function filesNaming(folders: readonly string[], mentions: Mentions) {
  const files: { readonly path: string; readonly isSure: boolean }[] = [];
  for (const path of (await Promise.all(folders.map(filesIn))).flat()) {
    const names = mentions.inText(path) || (await isNamedIn(path, mentions));
    if (names !== false) files.push({ path, isSure: names !== 'unreadable' });
  }
  return files;
}

async function isNamedIn(path: string, mentions: Mentions): Promise<boolean | 'unreadable'> {
  try {
    // What is packed is not searched.
    if ((await containerKind(path)) !== null) return 'unreadable';
    return isZip(await headOf(path)) ? await isInWorkbook(path, mentions) : await isInText(path, mentions);
  } catch (error) {
    // The file was imported or moved meanwhile: the next search finds it in its new place.
    if (errorCode(error) === 'ENOENT') return false;
    if (error instanceof OperatorError) return 'unreadable';
    throw ioError('look for a person', path, error);
  }
}

async function isInWorkbook(path: string, mentions: Mentions): Promise<boolean> {
  const opened = await openDrop(path, {});
  for (const { name } of opened.workbook?.sheets ?? []) {
    for await (const rows of opened.rows(name)) {
      if (rows.some(({ cells }) => cells.some((cell) => mentions.inCell(cell, true)))) return true;
    }
  }
  return false;
}

/** Characters that two pieces share: longer than any identifier, so that an identifier across two pieces is found. */
const OVERLAP = 1_024;

async function isInText(path: string, mentions: Mentions): Promise<boolean> {
  for (const encoding of ['utf8', 'latin1', 'utf16le'] as const) {
    let tail = '';
    for await (const chunk of createReadStream(path, { encoding, highWaterMark: 256 * 1_024 })) {
      const text = tail + (chunk as string);
      if (mentions.inFile(text)) return true;
      tail = text.slice(-OVERLAP);
    }
  }
  return false;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError('look for a person', folder, error);
  }
}
