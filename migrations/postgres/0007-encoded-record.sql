alter view submission_record rename column told to encoded_record;
