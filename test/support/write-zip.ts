import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive; omitted fields are computed. */
export interface ZipEntry {
  readonly name: string;
  /** The name's bytes, where they are no UTF-8. */
  readonly nameBytes?: Buffer;
  readonly content: string | Buffer;
  /** Not compressed. */
  readonly stored?: boolean;
  /** Sets the flag without encrypting anything. */
  readonly encrypted?: boolean;
  /** Written in place of the content's checksum. */
  readonly crc?: number;
  /** Written in place of the compressed content, for damage. */
  readonly data?: Buffer;
  /** Written in place of the content's size. */
  readonly sizeBytes?: number;
  /** Type and rights, as an archiver on Unix writes them. */
  readonly mode?: number;
  /** The declared compression method. */
  readonly method?: number;
}

/** A zip archive with exactly these entries in this order, repeated names and odd ones included. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const data = entry.data ?? (entry.stored ? content : deflateRawSync(content));
    const name = entry.nameBytes ?? Buffer.from(entry.name);

    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    const listing = Buffer.alloc(46);
    listing.writeUInt32LE(0x02014b50, 0);
    listing.writeUInt16LE(20 | (entry.mode === undefined ? 0 : 3 << 8), 4);
    listing.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 38);
    listing.writeUInt32LE(offset, 42);
    // Both begin with the same fields, the listing's two bytes later.
    for (const [fields, at] of [[header, 4] as const, [listing, 6] as const]) {
      fields.writeUInt16LE(20, at);
      fields.writeUInt16LE(0x0800 | (entry.encrypted ? 1 : 0), at + 2);
      fields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), at + 4);
      fields.writeUInt32LE(entry.crc ?? crc32(content), at + 10);
      fields.writeUInt32LE(data.length, at + 14);
      fields.writeUInt32LE(entry.sizeBytes ?? content.length, at + 18);
      fields.writeUInt16LE(name.length, at + 22);
    }
    files.push(header, name, data);
    directory.push(listing, name);
    offset += header.length + name.length + data.length;
  }
  const listings = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listings.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listings, end]);
}
