-- What people say of a submission, and how often. Not a migration of the program: a test brings a ledger to it.
alter table submission add column notes integer not null default 0 check (notes >= 0);

create table note (
  note_id integer primary key,
  submission_id integer not null references submission,
  text text not null
) strict;

insert into note (submission_id, text)
select submission_id, 'came in with ' || d.file_name from submission s join drop_file d using (drop_id) order by submission_id;

update submission set notes = 1;
