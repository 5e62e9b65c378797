/** The name of the file at an address: the one that is given, else the last step of its path. null: there is none. */
export function httpsFileName(url: string, file: string | undefined): string | null {
  if (file !== undefined) return file;
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1) : undefined;
  try {
    return last ? decodeURIComponent(last) : null;
  } catch {
    return null;
  }
}
