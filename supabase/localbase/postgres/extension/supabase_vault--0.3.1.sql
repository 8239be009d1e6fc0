-- The vault of https://supabase.com/docs/guides/database/vault in SQL. Secrets are encrypted by a key in a file that no
-- dump holds (`localbase/vault.key` of the data folder). The embedded build has no library of ciphers but SHA-256: a key
-- stream of it in counter mode, and over nonce, row and ciphertext a nested, keyed digest; keys of their own for both.
create table vault.secrets (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table vault.secrets is 'Secrets, each encrypted; decrypted_secrets shows them.';
create unique index secrets_name_idx on vault.secrets (name) where name is not null;

create function vault._key(purpose text) returns bytea language plpgsql stable set search_path = '' as $$
declare
  key bytea := pg_catalog.pg_read_binary_file('localbase/vault.key', 0, 64, true);
begin
  if key is null or pg_catalog.length(key) <> 32 then
    raise exception 'the vault''s key is missing' using
      hint = 'It lies in localbase/vault.key of the data folder, and secrets cannot be read without it.';
  end if;
  return pg_catalog.sha256(key || pg_catalog.convert_to(purpose, 'UTF8'));
end $$;
create function vault._crypto_aead_det_noncegen() returns bytea language sql volatile set search_path = '' as $$
  select pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
$$;
-- The same both ways.
create function vault._stream(data bytea, nonce bytea) returns bytea language plpgsql stable set search_path = '' as $$
declare
  key bytea := vault._key('cipher');
  size integer := pg_catalog.length(data);
  padded bytea := data || '\x0000000000000000';
  stream bytea;
  result bytea := '';
begin
  for block in 0 .. (size - 1) / 32 loop
    stream := pg_catalog.sha256(key || nonce || pg_catalog.int4send(block));
    for part in 0 .. 3 loop
      exit when block * 32 + part * 8 >= size;
      result := result || pg_catalog.int8send(
        ('x' || pg_catalog.encode(pg_catalog.substring(padded, block * 32 + part * 8 + 1, 8), 'hex'))::bit(64)::bigint
        # ('x' || pg_catalog.encode(pg_catalog.substring(stream, part * 8 + 1, 8), 'hex'))::bit(64)::bigint);
    end loop;
  end loop;
  return pg_catalog.substring(result, 1, size);
end $$;
create function vault._tag(ciphertext bytea, id uuid, nonce bytea) returns bytea language sql stable set search_path = '' as $$
  select pg_catalog.sha256(key || pg_catalog.sha256(key || pg_catalog.uuid_send(id) || nonce || ciphertext))
  from vault._key('tag') as key
$$;
create function vault._encrypt(secret text, id uuid, nonce bytea) returns text language sql stable set search_path = '' as $$
  select pg_catalog.encode(ciphertext || vault._tag(ciphertext, id, nonce), 'base64')
  from vault._stream(pg_catalog.convert_to(secret, 'UTF8'), nonce) as ciphertext
$$;
create function vault._decrypt(secret text, id uuid, nonce bytea) returns text language plpgsql stable security definer
set search_path = '' as $$
declare
  sealed bytea := pg_catalog.decode(secret, 'base64');
  ciphertext bytea := pg_catalog.substring(sealed, 1, greatest(0, pg_catalog.length(sealed) - 32));
begin
  if pg_catalog.substring(sealed, pg_catalog.length(ciphertext) + 1) is distinct from vault._tag(ciphertext, id, nonce) then
    raise exception 'secret % cannot be decrypted: it, or the vault''s key, is another', id;
  end if;
  return pg_catalog.convert_from(vault._stream(ciphertext, nonce), 'UTF8');
end $$;
create view vault.decrypted_secrets as
  select id, name, description, secret, vault._decrypt(secret, id, nonce) as decrypted_secret, key_id, nonce, created_at,
    updated_at
  from vault.secrets;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  new_id uuid := pg_catalog.gen_random_uuid();
  new_nonce bytea := vault._crypto_aead_det_noncegen();
begin
  insert into vault.secrets (id, name, description, secret, key_id, nonce)
  values (new_id, new_name, coalesce(new_description, ''), vault._encrypt(new_secret, new_id, new_nonce), new_key_id, new_nonce);
  return new_id;
end $$;
create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  new_nonce bytea := vault._crypto_aead_det_noncegen();
begin
  update vault.secrets set
    secret = case when new_secret is null then secret else vault._encrypt(new_secret, id, new_nonce) end,
    nonce = case when new_secret is null then nonce else new_nonce end,
    name = coalesce(new_name, name), description = coalesce(new_description, description),
    key_id = coalesce(new_key_id, key_id), updated_at = pg_catalog.now()
  where id = secret_id;
end $$;

revoke all on all functions in schema vault from public;
grant usage on schema vault to postgres with grant option;
grant usage on schema vault to service_role;
grant select, delete, references, truncate on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function vault.create_secret, vault.update_secret, vault._decrypt to postgres with grant option;
grant execute on function vault.create_secret, vault.update_secret, vault._decrypt to service_role;
