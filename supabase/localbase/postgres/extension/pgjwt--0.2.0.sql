-- RFC 7519 with HS256, HS384 and HS512, under the names of https://github.com/michelp/pgjwt.
create function url_encode(data bytea) returns text language sql immutable strict parallel safe as $$
  select translate(encode(data, 'base64'), e'+/=\n', '-_')
$$;
create function url_decode(data text) returns bytea language sql immutable strict parallel safe as $$
  select decode(rpad(translate(data, '-_', '+/'), (length(data) + 3) / 4 * 4, '='), 'base64')
$$;
create function algorithm_sign(signables text, secret text, algorithm text) returns text language plpgsql immutable as $$
declare
  digest text := case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' end;
begin
  if digest is null then
    raise exception 'algorithm % is not one of HS256, HS384, HS512', algorithm using errcode = 'invalid_parameter_value';
  end if;
  return @extschema@.url_encode(@extschema:pgcrypto@.hmac(signables, secret, digest));
end $$;
create function sign(payload json, secret text, algorithm text default 'HS256') returns text language sql immutable as $$
  select signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm)
  from (select @extschema@.url_encode(convert_to(json_build_object('alg', algorithm, 'typ', 'JWT')::text, 'utf8'))
    || '.' || @extschema@.url_encode(convert_to(payload::text, 'utf8'))) as token(signables)
$$;
-- The algorithm is the caller's, never the token's own. `exp` and `nbf` count.
create function verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean) language sql stable as $$
  select convert_from(@extschema@.url_decode(parts[1]), 'utf8')::json, body,
    coalesce(parts[3] = @extschema@.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm), false)
      and extract(epoch from now()) < coalesce((body ->> 'exp')::numeric, 'infinity')
      and extract(epoch from now()) >= coalesce((body ->> 'nbf')::numeric, '-infinity')
  from string_to_array(token, '.') as parts, lateral (select convert_from(@extschema@.url_decode(parts[2]), 'utf8')::json) as b(body)
$$;
