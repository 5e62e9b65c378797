-- More of what people do: a cause is assigned to a person, an alert is muted, a line of the schedule is started by hand.
drop trigger audit_event_append_only;
alter table audit_event rename to audit_event_before;
create table audit_event (
  event_id integer primary key,
  kind text not null check (kind in
    ('upload', 'sign-in', 'sign-in-refused', 'sign-out', 'settings', 'assign', 'mute', 'start-line')),
  who text not null,
  door text not null check (door in ('command-line', 'schedule', 'inbox', 'console')),
  at text not null,
  -- Of an uploaded file: its source, the name under which it was put into the inbox, and the SHA-256 of its bytes.
  source text,
  file_name text,
  sha256 text check (length(sha256) = 64),
  -- Of an assignment the cause's code, of a muted alert its kind, subject and code, and the name of a started line.
  subject text,
  -- To whom the cause is assigned, '' where it no longer is; until when the alert is muted.
  value text,
  -- Of a change of registrar.yaml its removed and added lines; the comment of an assignment; why an alert is muted.
  about text,
  check ((kind = 'upload') = (source is not null) and (source is null) = (file_name is null) and (source is null) = (sha256 is null)
    and (kind in ('settings', 'assign', 'mute')) = (about is not null)
    and (kind in ('assign', 'mute', 'start-line')) = (subject is not null)
    and (kind in ('assign', 'mute')) = (value is not null))
) strict;

insert into audit_event (event_id, kind, who, door, at, source, file_name, sha256, about)
select event_id, kind, who, door, at, source, file_name, sha256, about from audit_event_before;
drop table audit_event_before;

create index audit_event_at on audit_event (at);
-- For the person who uploaded a drop's bytes.
create index audit_event_file on audit_event (source, sha256) where kind = 'upload';
-- For what was last said about a cause or an alert.
create index audit_event_subject on audit_event (kind, subject, event_id) where subject is not null;

create trigger audit_event_append_only before update on audit_event
begin select raise(abort, 'audit_event: append-only'); end;

-- From when on a token opens nothing; null: it is valid until it is revoked.
alter table api_token add column expires_at text;
