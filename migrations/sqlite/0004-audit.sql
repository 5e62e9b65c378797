-- What people did besides decisions and tokens: the audit log shows all three.
create table audit_event (
  event_id integer primary key,
  kind text not null check (kind in ('upload', 'sign-in', 'sign-in-refused', 'sign-out', 'settings')),
  who text not null,
  door text not null check (door in ('command-line', 'schedule', 'inbox', 'console')),
  at text not null,
  -- Of an uploaded file: its source, the name under which it was put into the inbox, and the SHA-256 of its bytes.
  source text,
  file_name text,
  sha256 text check (length(sha256) = 64),
  -- Of a change of registrar.yaml: its removed and added lines.
  about text,
  check ((kind = 'upload') = (source is not null) and (source is null) = (file_name is null) and (source is null) = (sha256 is null)
    and (kind = 'settings') = (about is not null))
) strict;

create index audit_event_at on audit_event (at);
-- For the person who uploaded a drop's bytes.
create index audit_event_file on audit_event (source, sha256) where kind = 'upload';

create trigger audit_event_append_only before update on audit_event
begin select raise(abort, 'audit_event: append-only'); end;
