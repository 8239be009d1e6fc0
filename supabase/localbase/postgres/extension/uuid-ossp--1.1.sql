-- The part of uuid-ossp that plain Postgres can answer.
create function uuid_nil() returns uuid language sql immutable parallel safe
  as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;
create function uuid_ns_dns() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_ns_url() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b811-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_generate_v4() returns uuid language sql volatile parallel safe
  as $$ select pg_catalog.gen_random_uuid() $$;
-- RFC 9562, version 3: MD5 of the namespace and the name.
create function uuid_generate_v3(namespace uuid, name text) returns uuid language sql immutable strict parallel safe as $$
  select encode(set_byte(set_byte(raw, 6, (get_byte(raw, 6) & 15) | 48), 8, (get_byte(raw, 8) & 63) | 128), 'hex')::uuid
  from (select decode(md5(uuid_send(namespace) || convert_to(name, 'UTF8')), 'hex') as raw) as hashed
$$;
