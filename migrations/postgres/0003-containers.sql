create table contained_file (
  source text collate "C" not null,
  container_sha256 text collate "C" not null check (length(container_sha256) = 64),
  container_bytes bigint not null check (container_bytes >= 0),
  sha256 text collate "C" not null check (length(sha256) = 64),
  primary key (source, container_sha256, sha256)
);

create index contained_file_bytes on contained_file (source, sha256);
