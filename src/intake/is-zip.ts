/** Whether a file that begins with these bytes is a zip archive; it may still be no workbook. */
export function isZip(head: Uint8Array): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, at) => head[at] === byte));
}

/** A local file header, the end record of an archive without entries, and a split archive's mark. */
const SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x50, 0x4b, 0x07, 0x08],
] as const;
