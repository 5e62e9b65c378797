-- A file that was in a container, such as a zip archive. It is a drop by its own bytes; the container is none.
create table contained_file (
  source text not null,
  -- Of the container.
  container_sha256 text not null check (length(container_sha256) = 64),
  container_bytes integer not null check (container_bytes >= 0),
  -- Of the file.
  sha256 text not null check (length(sha256) = 64),
  primary key (source, container_sha256, sha256)
) strict, without rowid;

-- For the containers that held a drop's bytes.
create index contained_file_bytes on contained_file (source, sha256);
