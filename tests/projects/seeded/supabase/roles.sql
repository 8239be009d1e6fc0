create role "stock_clerk" nologin;
grant "stock_clerk" to "authenticator";
alter role "authenticated" set "statement_timeout" to '9s';
