-- A file of a remote inbox that was fetched. A version is fetched once; its original is settled once its bytes count.
create table remote_file (
  source text not null,
  -- The server and the folder, without the account.
  place text not null,
  name text not null,
  -- What tells one version of the name from the next: size and time of change, or the server's own mark.
  version text not null,
  sha256 text not null check (length(sha256) = 64),
  fetched_at text not null,
  -- When the original was archived or deleted. Null: it is still there, and a version with the same mark is the same file.
  settled_at text,
  primary key (source, place, name, version)
) strict, without rowid;

-- The latest look at a source's remote inbox.
create table remote_inbox (
  source text primary key,
  looked_at text not null,
  -- Files that a look has left there: they are still being written, or could not be fetched.
  waiting integer not null check (waiting >= 0),
  -- When the oldest of them was written, by the clock of the server; null: none waits.
  oldest_at text,
  -- Since when the place can't be used, and why: two sentences for people, never personal, without a secret. Null: it can.
  away_since text,
  message text,
  remedy text,
  check ((away_since is null) = (message is null) and (away_since is null) = (remedy is null))
) strict, without rowid;
