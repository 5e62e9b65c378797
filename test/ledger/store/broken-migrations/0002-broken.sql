-- Its second statement can't be carried out where there are submissions.
create table note (note_id integer primary key) strict;
update submission set state = 'unheard-of';
