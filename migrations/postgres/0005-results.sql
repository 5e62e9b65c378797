create table result (
  drop_id bigint primary key references drop_file,
  due_at text collate "C" not null,
  delivered_at text collate "C",
  failed_at text collate "C",
  tries bigint not null default 0 check (tries >= 0),
  error text collate "C",
  check ((failed_at is null) = (error is null))
);

create index result_open on result (drop_id) where delivered_at is null;
