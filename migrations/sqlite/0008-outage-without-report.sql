-- An outage has no report of its own: status, health, metrics and notifications show it.
alter table outage drop column reported_at;
