const releases = new Set<() => Promise<void>>();

/** Calls `release` once the test file has ended that runs now: a module that several files load can't register it for each. */
export function afterFile(release: () => Promise<void>): void {
  releases.add(release);
}

/** Releases what the file that has ended made. */
export async function releaseAll(): Promise<void> {
  for (const release of releases) {
    releases.delete(release);
    await release();
  }
}
