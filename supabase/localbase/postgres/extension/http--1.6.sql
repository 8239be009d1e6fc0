-- pgsql-http as SQL: a call asks the gateway's process, over dblink, and waits. Shapes, rules and words follow
-- https://github.com/pramsey/pgsql-http.
create domain http_method as text;
create domain content_type as text check (value ~ '^\S+\/\S+');
create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create type http_request as (
  method http_method, uri varchar, headers http_header[], content_type varchar, content varchar
);

-- What has more rights than its caller lies where no project's role can put a function of its own in a name's place.
do $$
begin
  if not exists (
    select from pg_namespace n join pg_roles r on r.oid = n.nspowner where n.nspname = '_localbase' and r.rolsuper
  ) then
    raise exception 'http needs a database of the platform''s' using errcode = 'feature_not_supported';
  end if;
end $$;
grant usage on schema _localbase to public;
create function _localbase.http_connect(text, text) returns text language c strict as '$libdir/dblink', 'dblink_connect';
create function _localbase.http_ask(text, text) returns integer language c strict as '$libdir/dblink', 'dblink_send_query';
create function _localbase.http_result(text) returns setof record language c strict
  as '$libdir/dblink', 'dblink_get_result';
create function _localbase.http_disconnect(text) returns text language c strict
  as '$libdir/dblink', 'dblink_disconnect';
revoke all on function _localbase.http_connect, _localbase.http_ask, _localbase.http_result, _localbase.http_disconnect
  from public;

-- The caller's text is a message to a process that speaks Postgres's protocol and runs no SQL. In these steps, for only
-- this way of waiting ends with the statement; no connection is left.
create function _localbase.http_send(
  request jsonb, out status integer, out content_type text, out headers jsonb, out content text
) language plpgsql volatile strict security definer set search_path = '' as $$
declare
  address text := pg_catalog.pg_read_file('localbase/http.address', 0, 1000, true);
  connection text := 'http ' || pg_catalog.gen_random_uuid();
begin
  if pg_catalog.octet_length(request::text) > 8388608 then
    raise exception 'The request is larger than 8388608 bytes' using errcode = 'program_limit_exceeded';
  end if;
  -- The gateway reads them all at once, and anyone may call this.
  if (select pg_catalog.count(*) from (select from pg_catalog.jsonb_path_query(request, '$.**') limit 5001) as parts) > 5000 then
    raise exception 'The request has more than 5000 parts' using errcode = 'program_limit_exceeded';
  end if;
  begin
    perform _localbase.http_connect(connection, coalesce(address, 'host=127.0.0.1 port=9'));
  exception when sqlclient_unable_to_establish_sqlconnection then
    raise exception 'No process of localbase is there to send the request' using errcode = 'connection_failure',
      hint = 'Start the stack (localbase start) and try again: it sends requests while it runs, its migrations'' too.';
  end;
  begin
    perform _localbase.http_ask(connection, request::text);
    select * into status, content_type, headers, content from _localbase.http_result(connection)
      as answer(status integer, content_type text, headers jsonb, content text);
  exception when others or query_canceled then
    perform _localbase.http_disconnect(connection);
    raise;
  end;
  perform _localbase.http_disconnect(connection);
end $$;

-- Settings below `http.`; those that name files and keys, or what only libcurl has, are refused.
create function _localbase.http_options() returns table (option text, honoured boolean) language sql immutable
set search_path = '' as $$
  values
    ('CURLOPT_CAINFO', false), ('CURLOPT_TIMEOUT', true), ('CURLOPT_TIMEOUT_MS', true), ('CURLOPT_CONNECTTIMEOUT', true),
    ('CURLOPT_CONNECTTIMEOUT_MS', true), ('CURLOPT_USERAGENT', true), ('CURLOPT_USERPWD', true),
    ('CURLOPT_IPRESOLVE', false), ('CURLOPT_SSLCERTTYPE', false), ('CURLOPT_PROXY', true), ('CURLOPT_PROXYPORT', true),
    ('CURLOPT_PROXYUSERNAME', true), ('CURLOPT_PROXYPASSWORD', true), ('CURLOPT_TLSAUTH_USERNAME', false),
    ('CURLOPT_TLSAUTH_PASSWORD', false), ('CURLOPT_TLSAUTH_TYPE', false), ('CURLOPT_DNS_SERVERS', false),
    ('CURLOPT_TCP_KEEPALIVE', true), ('CURLOPT_TCP_KEEPIDLE', true), ('CURLOPT_SSL_VERIFYHOST', true),
    ('CURLOPT_SSL_VERIFYPEER', true), ('CURLOPT_SSLCERT', false), ('CURLOPT_SSLKEY', false),
    ('CURLOPT_PRE_PROXY', false), ('CURLOPT_PROXY_CAINFO', false), ('CURLOPT_PROXY_TLSAUTH_USERNAME', false),
    ('CURLOPT_PROXY_TLSAUTH_PASSWORD', false), ('CURLOPT_PROXY_TLSAUTH_TYPE', false), ('CURLOPT_SSLKEY_BLOB', false),
    ('CURLOPT_SSLCERT_BLOB', false)
$$;
-- `alter role … set` of a setting that no library has declared is a superuser's otherwise.
do $$
declare
  name text;
begin
  for name in
    select 'http.' || lower(option) from _localbase.http_options() where honoured
    union all values ('http.timeout_msec'), ('http.keepalive')
  loop
    execute format('grant set on parameter %I to postgres', name);
  end loop;
end $$;

create function http_list_curlopt() returns table (curlopt text, value text) language sql stable set search_path = '' as $$
  select option, setting from (
    select option, coalesce(
      nullif(pg_catalog.current_setting('http.' || pg_catalog.lower(option), true), ''),
      case option
        when 'CURLOPT_TIMEOUT_MS' then nullif(pg_catalog.current_setting('http.timeout_msec', true), '')
        when 'CURLOPT_TCP_KEEPALIVE' then nullif(pg_catalog.current_setting('http.keepalive', true), '')
      end) as setting
    from _localbase.http_options()
  ) as options
  where setting is not null
$$;
create function http_set_curlopt(curlopt varchar, value varchar) returns boolean language plpgsql volatile
set search_path = '' as $$
begin
  if curlopt is null or value is null then
    return false;
  end if;
  if pg_catalog.upper(curlopt) not in (select option from _localbase.http_options() where honoured) then
    raise exception 'curl option ''%'' is not available for run-time configuration', curlopt;
  end if;
  perform pg_catalog.set_config('http.' || pg_catalog.lower(curlopt), value, false);
  return true;
end $$;
create function http_reset_curlopt() returns boolean language sql volatile set search_path = '' as $$
  select pg_catalog.bool_and(pg_catalog.set_config(name, '', false) = '') from (
    select 'http.' || pg_catalog.lower(option) as name from _localbase.http_options()
    union all values ('http.timeout_msec'), ('http.keepalive')
  ) as names
$$;

create function http_header(field varchar, value varchar) returns http_header language sql as $$ select $1, $2 $$;
create function http_headers(variadic args text[]) returns http_header[] language plpgsql immutable strict
set search_path = '' as $$
begin
  if pg_catalog.array_length(args, 1) % 2 <> 0 then
    raise exception 'Arguments must be provided in key-value pairs';
  end if;
  return array(
    select row(args[n], args[n + 1])::@extschema@.http_header
    from pg_catalog.generate_series(1, pg_catalog.array_length(args, 1), 2) as n);
end $$;

create function http(request http_request) returns http_response language plpgsql volatile set search_path = '' as $$
declare
  method text := pg_catalog.upper(request.method);
  refused text;
  sent jsonb;
  answer record;
begin
  if request is null then
    raise exception 'An http_request must be provided';
  elsif request.uri is null then
    raise exception 'http_request.uri is NULL';
  elsif method is null then
    raise exception 'http_request.method is NULL';
  elsif request.content is not null and request.content_type is null then
    raise exception 'http_request.content_type is NULL';
  elsif request.content is not null and method = 'HEAD' then
    raise exception 'illegal HTTP method';
  elsif request.content is null and method in ('PUT', 'POST') then
    raise exception 'http_request.content is NULL';
  elsif request.content is null and method = 'PATCH' then
    method := 'GET'; -- as there, where nothing says otherwise to libcurl
  end if;
  select option into refused
  from @extschema@.http_list_curlopt() join _localbase.http_options() on option = curlopt where not honoured;
  if found then
    raise exception 'http.% is not supported here', pg_catalog.lower(refused) using errcode = 'feature_not_supported',
      hint = pg_catalog.format('reset http.%s; a Postgres with the real http can be named in PG_BIN.', pg_catalog.lower(refused));
  end if;
  if exists (select from pg_catalog.unnest(request.headers) where field ~* '^(content-type|$)') then
    raise notice '''Content-Type'' is not supported as an optional header';
  end if;
  sent := pg_catalog.jsonb_build_object(
    'method', case when method in ('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH') then method else request.method end,
    'uri', request.uri, 'content_type', request.content_type, 'content', request.content,
    'headers', (
      select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(field, coalesce(value, '')))
      from pg_catalog.unnest(request.headers) where field !~* '^(content-type|$)'),
    'agent', pg_catalog.version(),
    'options', (select pg_catalog.jsonb_object_agg(curlopt, value) from @extschema@.http_list_curlopt()));
  answer := _localbase.http_send(sent);
  return row(answer.status, answer.content_type, array(
    select row(pair ->> 0, pair ->> 1)::@extschema@.http_header
    from pg_catalog.jsonb_array_elements(answer.headers) with ordinality as pairs(pair, n) order by n
  ), nullif(answer.content, ''))::@extschema@.http_response;
end $$;

create function urlencode(string bytea) returns text language sql immutable strict set search_path = '' as $$
  select coalesce(pg_catalog.string_agg(
    case
      when hex = '20' then '+'
      when hex ~ '^(2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])$'
        then pg_catalog.chr(pg_catalog.get_byte(string, n::integer - 1))
      else '%' || pg_catalog.upper(hex)
    end, '' order by n), '')
  from pg_catalog.regexp_matches(
    pg_catalog.split_part(pg_catalog.regexp_replace(pg_catalog.encode(string, 'hex'), '(..)', '\1 ', 'g'), '00 ', 1),
    '(\S\S) ', 'g') with ordinality as octets(hexes, n), lateral (select hexes[1]) as octet(hex)
$$;
create function urlencode(string varchar) returns text language sql immutable strict set search_path = '' as $$
  select @extschema@.urlencode(pg_catalog.convert_to(string, 'UTF8'))
$$;
create function urlencode(data jsonb) returns text language plpgsql immutable strict set search_path = '' as $$
begin
  if pg_catalog.jsonb_typeof(data) <> 'object' then
    raise exception 'cannot call urlencode_jsonb on a non-object' using errcode = 'invalid_parameter_value';
  end if;
  return (
    select pg_catalog.string_agg(
      @extschema@.urlencode(key::varchar) || '=' || @extschema@.urlencode(
        case pg_catalog.jsonb_typeof(value)
          when 'number' then pg_catalog.trim_scale((value #>> '{}')::numeric)::varchar
          else coalesce(value #>> '{}', '')
        end::varchar), '&' order by n)
    from pg_catalog.jsonb_each(data) with ordinality as entries(key, value, n)
    where key <> '' and pg_catalog.jsonb_typeof(value) not in ('object', 'array'));
end $$;

-- A text of Postgres's holds no octets that are no UTF-8. In those that are no text at all, octets above 127 and 0 are
-- characters of the last private plane, U+10FF00 to U+10FFFF; the gateway's process does so with what it receives.
create function bytea_to_text(data bytea) returns text language plpgsql immutable strict set search_path = '' as $$
declare
  octets text;
begin
  return pg_catalog.convert_from(data, 'UTF8');
exception when character_not_in_repertoire then
  octets := pg_catalog.regexp_replace(pg_catalog.encode(data, 'hex'), '(..)', '\1 ', 'g');
  octets := pg_catalog.replace(octets, '00 ', 'f48fbc80');
  octets := pg_catalog.regexp_replace(octets, '([89ab].) ', 'f48fbe\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'c(.) ', 'f48fbf8\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'd(.) ', 'f48fbf9\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'e(.) ', 'f48fbfa\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'f(.) ', 'f48fbfb\1', 'g');
  return pg_catalog.convert_from(pg_catalog.decode(octets, 'hex'), 'UTF8');
end $$;
create function text_to_bytea(data text) returns bytea language plpgsql immutable strict set search_path = '' as $$
declare
  octets text;
begin
  if data !~ '[\U0010ff00-\U0010ffff]' then
    return pg_catalog.convert_to(data, 'UTF8');
  end if;
  -- None of these is found at half an octet: fb, which would be in it, is in no UTF-8.
  octets := pg_catalog.replace(pg_catalog.encode(pg_catalog.convert_to(data, 'UTF8'), 'hex'), 'f48fbc80', '00');
  octets := pg_catalog.regexp_replace(octets, 'f48fbe(..)', '\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'f48fbf8(.)', 'c\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'f48fbf9(.)', 'd\1', 'g');
  octets := pg_catalog.regexp_replace(octets, 'f48fbfa(.)', 'e\1', 'g');
  return pg_catalog.decode(pg_catalog.regexp_replace(octets, 'f48fbfb(.)', 'f\1', 'g'), 'hex');
end $$;

create function http_get(uri varchar) returns http_response language sql as $$
  select @extschema@.http(('GET', $1, null, null, null)::@extschema@.http_request)
$$;
create function http_get(uri varchar, data jsonb) returns http_response language sql as $$
  select @extschema@.http(('GET', $1 || '?' || @extschema@.urlencode($2), null, null, null)::@extschema@.http_request)
$$;
create function http_post(uri varchar, content varchar, content_type varchar) returns http_response language sql as $$
  select @extschema@.http(('POST', $1, null, $3, $2)::@extschema@.http_request)
$$;
create function http_post(uri varchar, data jsonb) returns http_response language sql as $$
  select @extschema@.http(
    ('POST', $1, null, 'application/x-www-form-urlencoded', @extschema@.urlencode($2))::@extschema@.http_request)
$$;
create function http_put(uri varchar, content varchar, content_type varchar) returns http_response language sql as $$
  select @extschema@.http(('PUT', $1, null, $3, $2)::@extschema@.http_request)
$$;
create function http_patch(uri varchar, content varchar, content_type varchar) returns http_response language sql as $$
  select @extschema@.http(('PATCH', $1, null, $3, $2)::@extschema@.http_request)
$$;
create function http_delete(uri varchar) returns http_response language sql as $$
  select @extschema@.http(('DELETE', $1, null, null, null)::@extschema@.http_request)
$$;
create function http_delete(uri varchar, content varchar, content_type varchar) returns http_response language sql as $$
  select @extschema@.http(('DELETE', $1, null, $3, $2)::@extschema@.http_request)
$$;
create function http_head(uri varchar) returns http_response language sql as $$
  select @extschema@.http(('HEAD', $1, null, null, null)::@extschema@.http_request)
$$;
