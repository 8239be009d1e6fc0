-- The second part of pgcrypto: AES, OpenPGP with a password, and what says that it is not here.
-- AES (FIPS 197): the two boxes, as bytes.
create function pgcrypto_aes_box() returns bytea language sql immutable parallel safe as $$
  select decode(
    '637c777bf26b6fc53001672bfed7ab76ca82c97dfa5947f0add4a2af9ca472c0b7fd9326363ff7cc34a5e5f171d8311504c723c3' ||
    '1896059a071280e2eb27b27509832c1a1b6e5aa0523bd6b329e32f8453d100ed20fcb15b6acbbe394a4c58cfd0efaafb434d3385' ||
    '45f9027f503c9fa851a3408f929d38f5bcb6da2110fff3d2cd0c13ec5f974417c4a77e3d645d197360814fdc222a908846eeb814' ||
    'de5e0bdbe0323a0a4906245cc2d3ac629195e479e7c8376d8dd54ea96c56f4ea657aae08ba78252e1ca6b4c6e8dd741f4bbd8b8a' ||
    '703eb5664803f60e613557b986c11d9ee1f8981169d98e949b1e87e9ce5528df8ca1890dbfe6426841992d0fb054bb16', 'hex')
$$;
create function pgcrypto_aes_inverse_box() returns bytea language sql immutable parallel safe as $$
  select decode(
    '52096ad53036a538bf40a39e81f3d7fb7ce339829b2fff87348e4344c4dee9cb547b9432a6c2233dee4c950b42fac34e082ea166' ||
    '28d924b2765ba2496d8bd12572f8f66486689816d4a45ccc5d65b6926c704850fdedb9da5e154657a78d9d8490d8ab008cbcd30a' ||
    'f7e45805b8b34506d02c1e8fca3f0f02c1afbd0301138a6b3a9111414f67dcea97f2cfcef0b4e67396ac7422e7ad3585e2f937e8' ||
    '1c75df6e47f11a711d29c5896fb7620eaa18be1bfc563e4bc6d279209adbc0fe78cd5af41fdda8338807c731b11210592780ec5f' ||
    '60517fa919b54a0d2de57a9f93c99cefa0e03b4dae2af5b0c8ebbb3c83539961172b047eba77d626e169146355210c7d', 'hex')
$$;

-- The schedule of a key, which is filled up with zeros as pgcrypto does it: the bytes of all round keys.
create function pgcrypto_aes_schedule(key bytea) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  box bytea := @extschema@.pgcrypto_aes_box();
  size integer := case when length(key) <= 16 then 16 when length(key) <= 24 then 24 else 32 end;
  result bytea;
  word bytea;
  factor integer := 1;
begin
  if length(key) > 32 then
    raise exception 'encrypt error: Key was too big' using errcode = 'external_routine_invocation_exception';
  end if;
  result := key || decode(repeat('00', size - length(key)), 'hex');
  for i in size / 4 .. size + 27 loop
    word := substring(result from 4 * i - 3 for 4);
    if i % (size / 4) = 0 then
      word := substring(word from 2) || substring(word from 1 for 1);
    end if;
    if i % (size / 4) = 0 or (size = 32 and i % 8 = 4) then
      for k in 0 .. 3 loop word := set_byte(word, k, get_byte(box, get_byte(word, k))); end loop;
    end if;
    if i % (size / 4) = 0 then
      word := set_byte(word, 0, get_byte(word, 0) # factor);
      factor := (factor << 1) # (case when factor > 127 then 283 else 0 end);
    end if;
    for k in 0 .. 3 loop
      word := set_byte(word, k, get_byte(word, k) # get_byte(result, 4 * i - size + k));
    end loop;
    result := result || word;
  end loop;
  return result;
end $$;

create function pgcrypto_aes_block(schedule bytea, block bytea) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  box bytea := @extschema@.pgcrypto_aes_box();
  rounds integer := length(schedule) / 16 - 1;
  state bytea := block;
  moved bytea := block;
  a integer; b integer; total integer;
begin
  for i in 0 .. 15 loop state := set_byte(state, i, get_byte(block, i) # get_byte(schedule, i)); end loop;
  for round in 1 .. rounds loop
    for i in 0 .. 15 loop moved := set_byte(moved, i, get_byte(box, get_byte(state, (i * 5) % 16))); end loop;
    for i in 0 .. 3 loop
      total := 0;
      for k in 0 .. 3 loop total := total # get_byte(moved, 4 * i + k); end loop;
      for k in 0 .. 3 loop
        a := get_byte(moved, 4 * i + k);
        if round < rounds then
          b := a # get_byte(moved, 4 * i + (k + 1) % 4);
          a := a # total # (b << 1) # (case when b > 127 then 283 else 0 end);
        end if;
        state := set_byte(state, 4 * i + k, a # get_byte(schedule, 16 * round + 4 * i + k));
      end loop;
    end loop;
  end loop;
  return state;
end $$;

create function pgcrypto_aes_inverse_block(schedule bytea, block bytea) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  box bytea := @extschema@.pgcrypto_aes_inverse_box();
  rounds integer := length(schedule) / 16 - 1;
  state bytea := block;
  moved bytea := block;
  total integer;
  factor integer;
  value integer;
begin
  for round in reverse rounds .. 1 loop
    for i in 0 .. 15 loop state := set_byte(state, i, get_byte(state, i) # get_byte(schedule, 16 * round + i)); end loop;
    if round < rounds then
      for i in 0 .. 3 loop
        for k in 0 .. 3 loop
          total := 0;
          -- 14, 11, 13, 9: the products in the field, by doubling.
          for m in 0 .. 3 loop
            factor := (array[14, 11, 13, 9])[m + 1];
            value := get_byte(state, 4 * i + (k + m) % 4);
            while factor > 0 loop
              if factor % 2 = 1 then total := total # value; end if;
              value := (value << 1) # (case when value > 127 then 283 else 0 end);
              factor := factor / 2;
            end loop;
          end loop;
          moved := set_byte(moved, 4 * i + k, total);
        end loop;
      end loop;
      state := moved;
    end if;
    moved := state;
    for i in 0 .. 15 loop moved := set_byte(moved, (i * 5) % 16, get_byte(box, get_byte(state, i))); end loop;
    state := moved;
  end loop;
  for i in 0 .. 15 loop state := set_byte(state, i, get_byte(state, i) # get_byte(schedule, i)); end loop;
  return state;
end $$;


create function pgcrypto_xor(one bytea, other bytea) returns bytea language plpgsql immutable strict parallel safe as $$
declare
  result bytea := one;
begin
  for i in 0 .. length(one) - 1 loop result := set_byte(result, i, get_byte(one, i) # get_byte(other, i)); end loop;
  return result;
end $$;

-- Whether the mode is CBC, and whether there is a padding: `aes`, `aes-cbc`, `aes-ecb/pad:none`.
create function pgcrypto_cipher(type text) returns boolean[] language plpgsql immutable strict parallel safe as $$
declare
  part text[] := regexp_match(lower(type), '^(?:aes|rijndael)(?:-(cbc|ecb))?(?:/pad:(pkcs|none))?$');
begin
  if part is null then
    raise exception 'Cannot use "%": the embedded Postgres knows aes', type using errcode = 'feature_not_supported',
      hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  return array[part[1] is distinct from 'ecb', part[2] is distinct from 'none'];
end $$;

create function encrypt_iv(data bytea, key bytea, iv bytea, type text) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  way boolean[] := @extschema@.pgcrypto_cipher(type);
  schedule bytea := @extschema@.pgcrypto_aes_schedule(key);
  missing integer := 16 - length(data) % 16;
  block bytea := substring(iv || decode(repeat('00', 16), 'hex') from 1 for 16);
  result bytea := '';
begin
  if way[2] then
    data := data || decode(repeat(lpad(to_hex(missing), 2, '0'), missing), 'hex');
  elsif missing < 16 then
    raise exception 'encrypt error: Data not a multiple of block size' using errcode = 'external_routine_invocation_exception';
  end if;
  for i in 0 .. length(data) / 16 - 1 loop
    if way[1] then
      block := @extschema@.pgcrypto_xor(substring(data from 16 * i + 1 for 16), block);
    else
      block := substring(data from 16 * i + 1 for 16);
    end if;
    block := @extschema@.pgcrypto_aes_block(schedule, block);
    result := result || block;
  end loop;
  return result;
end $$;

create function decrypt_iv(data bytea, key bytea, iv bytea, type text) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  way boolean[] := @extschema@.pgcrypto_cipher(type);
  schedule bytea := @extschema@.pgcrypto_aes_schedule(key);
  before bytea := substring(iv || decode(repeat('00', 16), 'hex') from 1 for 16);
  block bytea;
  result bytea := '';
  padding integer;
begin
  if length(data) % 16 > 0 then
    raise exception 'decrypt error: Data not a multiple of block size' using errcode = 'external_routine_invocation_exception';
  end if;
  for i in 0 .. length(data) / 16 - 1 loop
    block := @extschema@.pgcrypto_aes_inverse_block(schedule, substring(data from 16 * i + 1 for 16));
    if way[1] then
      block := @extschema@.pgcrypto_xor(block, before);
      before := substring(data from 16 * i + 1 for 16);
    end if;
    result := result || block;
  end loop;
  if way[2] and length(result) > 0 then
    padding := get_byte(result, length(result) - 1);
    if padding not between 1 and 16
      or right(encode(result, 'hex'), 2 * padding) <> repeat(lpad(to_hex(padding), 2, '0'), padding) then
      raise exception 'decrypt error: Decryption failed' using errcode = 'external_routine_invocation_exception';
    end if;
    result := substring(result from 1 for length(result) - padding);
  end if;
  return result;
end $$;

create function encrypt(data bytea, key bytea, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.encrypt_iv(data, key, '', type); end $$;
create function decrypt(data bytea, key bytea, type text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.decrypt_iv(data, key, '', type); end $$;

-- OpenPGP (RFC 4880) with a password. Ours are written with a key of SHA-256, which Postgres itself computes; those of
-- the real pgcrypto, with SHA-1, take a third of a second.
create function pgcrypto_pgp_key(password bytea, method integer, hash integer, salt bytea, count integer, size integer)
returns bytea language plpgsql immutable strict parallel safe as $$
declare
  name text := (array['md5', 'sha1', null, null, null, null, null, 'sha256', 'sha384', 'sha512', 'sha224'])[hash];
  part bytea := case when method = 0 then password else salt || password end;
  result bytea := '';
  filled bytea := part;
  zeros integer := 0;
begin
  if method = 3 and count > length(part) then
    while length(filled) < count loop filled := filled || filled; end loop;
    filled := substring(filled from 1 for count);
  end if;
  while length(result) < size loop
    result := result || @extschema@.digest(decode(repeat('00', zeros), 'hex') || filled, name);
    zeros := zeros + 1;
  end loop;
  return substring(result from 1 for size);
end $$;

create function pgcrypto_cfb(data bytea, schedule bytea, forward boolean) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  block bytea := decode(repeat('00', 16), 'hex');
  part bytea;
  result bytea := '';
begin
  for i in 0 .. (length(data) + 15) / 16 - 1 loop
    part := substring(data from 16 * i + 1 for 16);
    block := @extschema@.pgcrypto_xor(part, @extschema@.pgcrypto_aes_block(schedule, block));
    result := result || block;
    if not forward then
      block := part;
    end if;
  end loop;
  return result;
end $$;

create function pgcrypto_packet(tag integer, body bytea) returns bytea language sql immutable strict parallel safe as $$
  select set_byte('\x00'::bytea, 0, 192 + tag) || '\xff'::bytea || int4send(length(body)) || body
$$;

-- The first packet's tag, body and what follows it.
create function pgcrypto_next_packet(data bytea, out tag integer, out body bytea, out rest bytea)
language plpgsql immutable strict parallel safe as $$
declare
  head integer := get_byte(data, 0);
  size integer;
  place integer := 1;
  partial boolean := true;
begin
  body := '';
  if head < 192 then
    tag := (head >> 2) & 15;
    case head & 3
      when 0 then size := get_byte(data, 1); place := 2;
      when 1 then size := get_byte(data, 1) * 256 + get_byte(data, 2); place := 3;
      when 2 then size := ('x' || encode(substring(data from 2 for 4), 'hex'))::bit(32)::integer; place := 5;
      else size := length(data) - 1;
    end case;
    body := substring(data from place + 1 for size);
    rest := substring(data from place + 1 + size);
    return;
  end if;
  tag := head & 63;
  while partial loop
    size := get_byte(data, place);
    partial := size between 224 and 254;
    if partial then
      size := 1 << (size & 31);
      place := place + 1;
    elsif size = 255 then
      size := ('x' || encode(substring(data from place + 2 for 4), 'hex'))::bit(32)::integer;
      place := place + 5;
    elsif size > 191 then
      size := (size - 192) * 256 + get_byte(data, place + 1) + 192;
      place := place + 2;
    else
      place := place + 1;
    end if;
    body := body || substring(data from place + 1 for size);
    place := place + size;
  end loop;
  rest := substring(data from place + 1);
end $$;

create function pgcrypto_pgp_encrypt(data bytea, password text, options text, format text) returns bytea
language plpgsql volatile strict parallel safe as $$
declare
  option text;
  cipher integer := 7;
  salt bytea := @extschema@.gen_random_bytes(8);
  head bytea := @extschema@.gen_random_bytes(16);
  key bytea;
  plain bytea;
begin
  foreach option in array regexp_split_to_array(replace(lower(options), ' ', ''), ',') loop
    case
      when option in ('cipher-algo=aes', 'cipher-algo=aes128') then cipher := 7;
      when option = 'cipher-algo=aes192' then cipher := 8;
      when option = 'cipher-algo=aes256' then cipher := 9;
      when option ~ '^(|compress-algo=0|compress-level=\d|convert-crlf=0|disable-mdc=0|sess-key=0|unicode-mode=[01]|s2k-mode=3|s2k-(digest|cipher)-algo=.*|s2k-count=\d+)$' then
        null;
      else
        raise exception 'pgp_sym_encrypt: the embedded Postgres does not know "%"', option using errcode = 'feature_not_supported',
          hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
    end case;
  end loop;
  key := @extschema@.pgcrypto_pgp_key(convert_to(password, 'UTF8'), 3, 8, salt, 65536, 8 * cipher - 40);
  plain := head || substring(head from 15) || @extschema@.pgcrypto_packet(11, convert_to(format, 'UTF8') || '\x0000000000' || data) || '\xd314';
  plain := plain || @extschema@.digest(plain, 'sha1');
  return @extschema@.pgcrypto_packet(3, set_byte('\x04000308'::bytea, 1, cipher) || salt || '\x60')
    || @extschema@.pgcrypto_packet(18, '\x01' || @extschema@.pgcrypto_cfb(plain, @extschema@.pgcrypto_aes_schedule(key), true));
end $$;

create function pgcrypto_pgp_decrypt(data bytea, password text, options text) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
  packet record;
  cipher integer;
  method integer;
  code integer;
  key bytea;
  plain bytea;
begin
  packet := @extschema@.pgcrypto_next_packet(data);
  if packet.tag <> 3 then
    raise exception 'Wrong key or corrupt data' using errcode = 'external_routine_invocation_exception';
  end if;
  cipher := get_byte(packet.body, 1);
  method := get_byte(packet.body, 2);
  if cipher not between 7 and 9 or length(packet.body) > (case method when 0 then 4 when 1 then 12 else 13 end) then
    raise exception 'pgp_sym_decrypt: the embedded Postgres knows AES without session keys' using errcode = 'feature_not_supported',
      hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  code := case method when 3 then get_byte(packet.body, 12) else 0 end;
  key := @extschema@.pgcrypto_pgp_key(convert_to(password, 'UTF8'), method, get_byte(packet.body, 3),
    substring(packet.body from 5 for 8), (16 + (code & 15)) << ((code >> 4) + 6), 8 * cipher - 40);
  packet := @extschema@.pgcrypto_next_packet(packet.rest);
  if packet.tag <> 18 then
    raise exception 'pgp_sym_decrypt: the embedded Postgres knows data with an MDC' using errcode = 'feature_not_supported',
      hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  plain := @extschema@.pgcrypto_cfb(substring(packet.body from 2), @extschema@.pgcrypto_aes_schedule(key), false);
  if substring(plain from 15 for 2) <> substring(plain from 17 for 2) or length(plain) < 40
    or @extschema@.digest(substring(plain from 1 for length(plain) - 20), 'sha1') <> substring(plain from length(plain) - 19) then
    raise exception 'Wrong key or corrupt data' using errcode = 'external_routine_invocation_exception';
  end if;
  packet := @extschema@.pgcrypto_next_packet(substring(plain from 19));
  if packet.tag <> 11 then
    raise exception 'pgp_sym_decrypt: the embedded Postgres cannot decompress' using errcode = 'feature_not_supported',
      hint = 'Set PG_BIN to a Postgres that has the real pgcrypto.';
  end if;
  return substring(packet.body from 7 + get_byte(packet.body, 1));
end $$;

create function pgp_sym_encrypt(data text, password text, options text) returns bytea language plpgsql volatile strict parallel safe
  as $$ begin return @extschema@.pgcrypto_pgp_encrypt(convert_to(data, 'UTF8'), password, options, 't'); end $$;
create function pgp_sym_encrypt(data text, password text) returns bytea language plpgsql volatile strict parallel safe
  as $$ begin return @extschema@.pgp_sym_encrypt(data, password, ''); end $$;
create function pgp_sym_encrypt_bytea(data bytea, password text, options text) returns bytea language plpgsql volatile strict parallel safe
  as $$ begin return @extschema@.pgcrypto_pgp_encrypt(data, password, options, 'b'); end $$;
create function pgp_sym_encrypt_bytea(data bytea, password text) returns bytea language plpgsql volatile strict parallel safe
  as $$ begin return @extschema@.pgp_sym_encrypt_bytea(data, password, ''); end $$;
create function pgp_sym_decrypt_bytea(data bytea, password text, options text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.pgcrypto_pgp_decrypt(data, password, options); end $$;
create function pgp_sym_decrypt_bytea(data bytea, password text) returns bytea language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.pgcrypto_pgp_decrypt(data, password, ''); end $$;
create function pgp_sym_decrypt(data bytea, password text, options text) returns text language plpgsql immutable strict parallel safe
  as $$ begin return convert_from(@extschema@.pgcrypto_pgp_decrypt(data, password, options), 'UTF8'); end $$;
create function pgp_sym_decrypt(data bytea, password text) returns text language plpgsql immutable strict parallel safe
  as $$ begin return @extschema@.pgp_sym_decrypt(data, password, ''); end $$;

-- What needs OpenSSL says so where it is called: functions that call it can be made. The script runs as
-- a superuser in a schema of the project's choice: what it calls while it runs is Postgres's own by name.
do $do$
declare
  signature text;
begin
  foreach signature in array array[
    'pgp_pub_encrypt(text, bytea) returns bytea', 'pgp_pub_encrypt(text, bytea, text) returns bytea',
    'pgp_pub_encrypt_bytea(bytea, bytea) returns bytea', 'pgp_pub_encrypt_bytea(bytea, bytea, text) returns bytea',
    'pgp_pub_decrypt(bytea, bytea) returns text', 'pgp_pub_decrypt(bytea, bytea, text) returns text',
    'pgp_pub_decrypt(bytea, bytea, text, text) returns text', 'pgp_pub_decrypt_bytea(bytea, bytea) returns bytea',
    'pgp_pub_decrypt_bytea(bytea, bytea, text) returns bytea',
    'pgp_pub_decrypt_bytea(bytea, bytea, text, text) returns bytea', 'pgp_key_id(bytea) returns text',
    'armor(bytea) returns text', 'armor(bytea, text[], text[]) returns text', 'dearmor(text) returns bytea'
  ] loop
    execute pg_catalog.format('create function %s language plpgsql volatile strict parallel safe as %L', signature, pg_catalog.format($$
      begin
        raise exception '%s: the embedded Postgres has no OpenSSL' using errcode = 'feature_not_supported',
          hint = 'Set PG_BIN to a Postgres that has the real pgcrypto; secrets are for the vault (vault.create_secret).';
      end$$, pg_catalog.split_part(signature, '(', 1)));
  end loop;
end $do$;
