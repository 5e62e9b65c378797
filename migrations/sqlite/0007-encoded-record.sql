-- The record of a submission, which was named `told`: `encoded_record` is what the program builds it from, a JSON array; null
-- once erased.
drop view submission_record;
create view submission_record as
select s.*, e.name as environment, o.name as operation,
  iif(s.learner_id = 0, null, l.hash) as learner_hash, l.type as learner_type, l.identifier as learner,
  c.hash as content_hash, c.type as content_type, c.identifier_type as content_identifier_type, c.identifier as content, c.part,
  c.title,
  iif(s.record is null, null, json_array(o.name, l.type, l.identifier, c.type, c.identifier_type, c.identifier, c.part,
    c.title, s.occurred_at, s.record)) as encoded_record
from submission s
left join environment e on e.environment_id = s.environment_id
left join operation o on o.operation_id = s.operation_id
left join learner l on l.learner_id = s.learner_id
left join content c on c.content_id = s.content_id;
