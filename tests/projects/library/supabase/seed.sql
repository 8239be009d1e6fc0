-- Few rows, each there for a reason: nulls, ties, quotes, unrelated rows on both sides.
insert into public.authors (id, name, born, tags, profile, mentor_id) values
  (1, 'Ada Quill', '1950-05-01', '{poet,essayist}', '{"home": {"city": "York"}, "awards": ["a", "b"], "age": 75}', null),
  (2, 'Ben Ink', '1970-01-31', '{novelist}', '{"home": {"city": "Bath"}, "awards": [], "age": 55}', 1),
  (3, 'Cy "The Pen" Ash', null, '{}', '{}', 1),
  (4, 'Dee Blank', '1999-12-31', '{poet}', '{"home": null}', 2);
insert into public.biographies (author_id, body) values
  (1, 'Ada wrote of rivers and running water.'),
  (2, 'Ben sailed before he wrote.');
insert into public.shelves (room, place, kind) values ('A', 1, 'fiction'), ('A', 2, 'fiction'), ('B', 1, 'science');
insert into public.books
  (id, title, author_id, editor_id, shelf_room, shelf_place, price, pages, in_print, published, details, isbn) values
  (1, 'River Songs', 1, 2, 'A', 1, 10.50, 100, true, '[2001-01-01,2010-01-01)', '{"lang": "en", "sizes": [1, 2]}', '1111111111111'),
  (2, 'Dry Land', 1, null, 'A', 2, 7.00, 250, false, '[2005-01-01,)', '{"lang": "fr"}', '2222222222222'),
  (3, 'Salt', 2, 1, 'B', 1, 20.00, 300, true, null, null, null),
  (4, 'Untitled, "perhaps"', null, null, null, null, null, null, null, null, '{"lang": null}', null),
  (5, '100% Wool (a_b)', 2, 1, 'A', 1, 5.25, 80, true, null, '{}', '5555555555555');
insert into public.genres (id, name) values (1, 'poetry'), (2, 'novel'), (3, 'travel'), (4, 'unused');
insert into public.book_genres (book_id, genre_id, weight) values (1, 1, 3), (1, 3, 1), (2, 2, 2), (3, 2, 5), (3, 3, 4);
insert into public.reviews (id, book_id, stars, note, written_at) values
  ('00000000-0000-0000-0000-000000000001', 1, 5, 'Flows well', '2025-01-01T10:00:00Z'),
  ('00000000-0000-0000-0000-000000000002', 1, 3, null, '2025-01-02T10:00:00Z'),
  ('00000000-0000-0000-0000-000000000003', 3, 4, 'Briny', '2025-01-03T10:00:00Z');
insert into public."Odd Names" values (1, 'dot', 'comma', 'quote', 'word');
insert into public.loans (id, book_id, lent_on) values (1, 1, '2024-02-01'), (2, 1, '2025-03-01'), (3, 3, '2025-04-01');
insert into public.counters (name, amount) values ('first', 1);
insert into public.logins (email) values ('one@example.com');
insert into public.notes (id, owner_id, body, is_public) values
  (1, '11111111-1111-1111-1111-111111111111', 'open', true),
  (2, '11111111-1111-1111-1111-111111111111', 'closed', false),
  (3, '22222222-2222-2222-2222-222222222222', 'other', false);
insert into public.secrets values (1, 'hush');
insert into public.half_open values (1, 'seen', 'unseen');
insert into crm.customers (id, email, favourite_book_id, stay, scores) values
  (1, 'ann@example.com', 1, '[2025-01-01,2025-01-05)', '{1,2,3}'), (2, 'bob@example.com', null, null, '{}');
insert into crm.invoices (id, customer_id, cents, paid) values (1, 1, 500, true), (2, 1, 700, false), (3, 2, 100, false);
refresh materialized view public.author_totals;
select setval(pg_get_serial_sequence('public.authors', 'id'), 100), setval(pg_get_serial_sequence('public.books', 'id'), 100),
  setval(pg_get_serial_sequence('public.notes', 'id'), 100), setval(pg_get_serial_sequence('crm.customers', 'id'), 100),
  setval(pg_get_serial_sequence('crm.invoices', 'id'), 100);
