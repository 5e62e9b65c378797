alter table audit_event add column subject text collate "C", add column value text collate "C";
alter table audit_event drop constraint audit_event_kind_check, drop constraint audit_event_check;
alter table audit_event
  add constraint audit_event_kind_check check (kind in
    ('upload', 'sign-in', 'sign-in-refused', 'sign-out', 'settings', 'assign', 'mute', 'start-line')),
  add constraint audit_event_check check (
    (kind = 'upload') = (source is not null) and (source is null) = (file_name is null) and (source is null) = (sha256 is null)
    and (kind in ('settings', 'assign', 'mute')) = (about is not null)
    and (kind in ('assign', 'mute', 'start-line')) = (subject is not null)
    and (kind in ('assign', 'mute')) = (value is not null));

create index audit_event_subject on audit_event (kind, subject, event_id) where subject is not null;

alter table api_token add column expires_at text collate "C";
