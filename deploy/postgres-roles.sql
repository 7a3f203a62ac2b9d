-- The roles of the production setup and the payments database. psql runs it as the superuser on an empty cluster.
\getenv owner_password PAYMENTS_OWNER_PASSWORD
\getenv app_password PAYMENTS_APP_PASSWORD
\getenv temporal_password TEMPORAL_POSTGRES_PASSWORD

-- Migrations sign in as the owner, the API and the workers as payments_app. Temporal's role has databases of its own.
CREATE ROLE payments_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE payments_app LOGIN PASSWORD :'app_password';
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';

CREATE DATABASE payments OWNER payments_owner;
REVOKE ALL ON DATABASE payments FROM PUBLIC;
GRANT CONNECT ON DATABASE payments TO payments_app;

\connect payments
ALTER SCHEMA public OWNER TO payments_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO payments_app;

-- For every table that a migration will create: rows, but not the definition, and no TRUNCATE.
ALTER DEFAULT PRIVILEGES FOR ROLE payments_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO payments_app;
ALTER DEFAULT PRIVILEGES FOR ROLE payments_owner IN SCHEMA public
  GRANT USAGE ON SEQUENCES TO payments_app;
