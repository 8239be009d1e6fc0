-- uuid-ossp in SQL, for the embedded build has no library for it.
create function uuid_nil() returns uuid language sql immutable parallel safe
  as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;
create function uuid_ns_dns() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_ns_url() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b811-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_ns_oid() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b812-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_ns_x500() returns uuid language sql immutable parallel safe
  as $$ select '6ba7b814-9dad-11d1-80b4-00c04fd430c8'::uuid $$;
create function uuid_generate_v4() returns uuid language sql volatile parallel safe
  as $$ select pg_catalog.gen_random_uuid() $$;
-- RFC 9562, version 3: MD5 of the namespace and the name.
create function uuid_generate_v3(namespace uuid, name text) returns uuid language sql immutable strict parallel safe as $$
  select encode(set_byte(set_byte(raw, 6, (get_byte(raw, 6) & 15) | 48), 8, (get_byte(raw, 8) & 63) | 128), 'hex')::uuid
  from (select decode(md5(uuid_send(namespace) || convert_to(name, 'UTF8')), 'hex') as raw) as hashed
$$;
-- Version 5: SHA-1 in its place.
create function uuid_generate_v5(namespace uuid, name text) returns uuid language sql immutable strict parallel safe as $$
  select encode(set_byte(set_byte(raw, 6, (get_byte(raw, 6) & 15) | 80), 8, (get_byte(raw, 8) & 63) | 128), 'hex')::uuid
  from (
    select substring(
      @extschema:pgcrypto@.digest(uuid_send(namespace) || convert_to(name, 'UTF8'), 'sha1') from 1 for 16
    ) as raw
  ) as hashed
$$;
-- Version 1: the time since 1582 in tenths of a microsecond, and a random node, marked by its multicast bit.
create function uuid_generate_v1mc() returns uuid language sql volatile parallel safe as $$
  select (substr(ticks, 9, 8) || substr(ticks, 5, 4) || '1' || substr(ticks, 2, 3)
    || substr(noise, 17, 4) || encode(set_byte(node, 0, get_byte(node, 0) | 1), 'hex'))::uuid
  from (
    select lpad(to_hex((extract(epoch from clock_timestamp()) * 10000000)::bigint + 122192928000000000), 16, '0') as ticks,
      replace(pg_catalog.gen_random_uuid()::text, '-', '') as noise
  ) as now, lateral (select decode(substr(noise, 21, 12), 'hex') as node) as random
$$;
-- The machine's own address stays private.
create function uuid_generate_v1() returns uuid language sql volatile parallel safe
  as $$ select @extschema@.uuid_generate_v1mc() $$;
