-- Columns in the words that readers know.
alter table ledger rename column strange_drop to foreign_drop_max;
alter table permit rename column asked to recipient;
alter table learner_hold rename column asked_at to checked_at;
alter table outage_run rename column said to message;
alter table transition rename column words to reason;
alter table session rename column how to method;
alter table job_slot rename column began_at to started_at;
drop index kept_answer_at;
alter table kept_answer rename to idempotent_response;
create index idempotent_response_at on idempotent_response (answered_at);
