/** null: neither a name is given nor does the address end with one. */
export function httpsFileName(url: string, file: string | undefined): string | null {
  if (file !== undefined) return file;
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined;
  try {
    return last ? decodeURIComponent(last) : null;
  } catch {
    return null;
  }
}
