import { type FSWatcher, watch } from 'node:fs';

/** Reports changes in a folder, where the system can. */
export interface FolderWatcher {
  /** Aborted at the next change, or by `stop`. */
  changed(): AbortSignal;
  close(): void;
}

/** Watches a folder. One that can't be watched, or that goes away, has no changes; polling misses nothing. */
export function watchFolder(path: string, stop: AbortSignal): FolderWatcher {
  let next = new AbortController();
  let watcher: FSWatcher | null = null;
  const tell = () => next.abort();
  stop.addEventListener('abort', tell, { once: true });
  const end = () => {
    watcher?.close();
    watcher = null;
  };
  const begin = () => {
    try {
      watcher = watch(path, { persistent: false }, tell);
      watcher.on('error', end);
    } catch {
      watcher = null;
    }
  };
  return {
    changed() {
      if (watcher === null) begin();
      if (next.signal.aborted && !stop.aborted) next = new AbortController();
      return next.signal;
    },
    close() {
      stop.removeEventListener('abort', tell);
      end();
    },
  };
}
