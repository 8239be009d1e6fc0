insert into public.teams (id, name) values (1, 'Red');
