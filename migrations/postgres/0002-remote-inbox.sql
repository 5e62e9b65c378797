create table remote_file (
  source text collate "C" not null,
  place text collate "C" not null,
  name text collate "C" not null,
  version text collate "C" not null,
  sha256 text collate "C" not null check (length(sha256) = 64),
  fetched_at text collate "C" not null,
  settled_at text collate "C",
  primary key (source, place, name, version)
);

create table remote_inbox (
  source text collate "C" primary key,
  looked_at text collate "C" not null,
  waiting integer not null check (waiting >= 0),
  oldest_at text collate "C",
  away_since text collate "C",
  message text collate "C",
  remedy text collate "C",
  check ((away_since is null) = (message is null) and (away_since is null) = (remedy is null))
);
