-- The result of an imported or refused file for its sender: there is one where its source had a target for results when it came.
create table result (
  drop_id integer primary key references drop_file,
  -- Not before this time: the wait after a failure.
  due_at text not null,
  -- Null until all of it is at the target.
  delivered_at text,
  -- When delivering it first failed, how often it did, and why it did last: never personal, without a secret.
  failed_at text,
  tries integer not null default 0 check (tries >= 0),
  error text,
  check ((failed_at is null) = (error is null))
) strict;

-- For what is still to be delivered.
create index result_open on result (drop_id) where delivered_at is null;
