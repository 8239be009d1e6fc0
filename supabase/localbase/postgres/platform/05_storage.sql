-- The `storage` schema as the Storage API keeps it. Files live on disk; rows here say who may reach them.
set role supabase_storage_admin;

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  version text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index name_prefix_search on storage.objects (name text_pattern_ops);

create function storage.foldername(name text) returns text[] language sql immutable as $$
  select parts[1 : array_length(parts, 1) - 1] from (select string_to_array(name, '/') as parts) as split
$$;
create function storage.filename(name text) returns text language sql immutable as $$
  select parts[array_length(parts, 1)] from (select string_to_array(name, '/') as parts) as split
$$;
create function storage.extension(name text) returns text language sql immutable as $$
  select reverse(split_part(reverse(storage.filename(name)), '.', 1))
$$;

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

reset role;

grant all on storage.buckets, storage.objects to postgres, anon, authenticated, service_role;
grant all on all functions in schema storage to postgres, anon, authenticated, service_role;
-- On the hosted platform a project's role writes policies on these two tables through an extension of its own; here
-- membership in the owning role gives the same power.
grant supabase_storage_admin to postgres;
