-- Schemas that every hosted project has, and that dumps of a project name.
create schema if not exists graphql authorization supabase_admin;
create schema if not exists vault authorization supabase_admin;
grant usage on schema graphql, vault to postgres, anon, authenticated, service_role;
