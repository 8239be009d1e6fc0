-- The part of pgcrypto that plain Postgres can answer: digest, hmac, gen_random_bytes, gen_random_uuid.
-- The embedded build has no OpenSSL, so crypt() and gen_salt() say what to do instead of giving a weak answer.
create function gen_random_bytes(count integer) returns bytea language plpgsql volatile strict parallel safe as $$
declare
  result bytea := '';
begin
  if count < 1 or count > 1024 then
    raise exception 'Length not in range' using errcode = 'external_routine_invocation_exception';
  end if;
  -- A version 4 uuid carries 122 random bits from pg_strong_random: two of them, hashed, give 32 full bytes.
  while length(result) < count loop
    result := result || sha256(uuid_send(pg_catalog.gen_random_uuid()) || uuid_send(pg_catalog.gen_random_uuid()));
  end loop;
  return substring(result from 1 for count);
end $$;

create function gen_random_uuid() returns uuid language sql volatile parallel safe
  as 'select pg_catalog.gen_random_uuid()';

create function digest(data bytea, type text) returns bytea language plpgsql immutable strict parallel safe as $$
begin
  case lower(type)
    when 'md5' then return decode(md5(data), 'hex');
    when 'sha224' then return sha224(data);
    when 'sha256' then return sha256(data);
    when 'sha384' then return sha384(data);
    when 'sha512' then return sha512(data);
    else raise exception 'Cannot use "%": the embedded Postgres knows md5, sha224, sha256, sha384, sha512', type
      using errcode = 'feature_not_supported', hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end case;
end $$;

create function digest(data text, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return digest(convert_to(data, 'UTF8'), type); end $$;

-- RFC 2104.
create function hmac(data bytea, key bytea, type text) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  size integer := case when lower(type) in ('sha384', 'sha512') then 128 else 64 end;
  padded bytea := case when length(key) > size then digest(key, type) else key end;
  inner_pad bytea;
  outer_pad bytea;
begin
  padded := padded || decode(repeat('00', size - length(padded)), 'hex');
  inner_pad := padded;
  outer_pad := padded;
  for i in 0 .. size - 1 loop
    inner_pad := set_byte(inner_pad, i, get_byte(padded, i) # 54);
    outer_pad := set_byte(outer_pad, i, get_byte(padded, i) # 92);
  end loop;
  return digest(outer_pad || digest(inner_pad || data, type), type);
end $$;

create function hmac(data text, key text, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return hmac(convert_to(data, 'UTF8'), convert_to(key, 'UTF8'), type); end $$;

create function gen_salt(type text) returns text language plpgsql as $$
begin
  raise exception 'gen_salt() needs the real pgcrypto, which the embedded Postgres lacks'
    using errcode = 'feature_not_supported',
          hint = 'Write the hash as a literal, make users through the auth API, or set PG_BIN to a system Postgres.';
end $$;

create function gen_salt(type text, iter_count integer) returns text language sql as 'select gen_salt(type)';

create function crypt(password text, salt text) returns text language plpgsql as $$
begin
  raise exception 'crypt() needs the real pgcrypto, which the embedded Postgres lacks'
    using errcode = 'feature_not_supported',
          hint = 'Write the hash as a literal, make users through the auth API, or set PG_BIN to a system Postgres.';
end $$;
