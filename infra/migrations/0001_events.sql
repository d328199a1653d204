-- One context's store. Applied once per context, with search_path set to the context's schema, by the schema's owner.

-- The event log. Text ids sort by byte, so that the newest day of `stem/YYYY-MM-DD` is one index look-up.
CREATE TABLE events (
    originator_id text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigserial NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) WITH (
    autovacuum_vacuum_insert_threshold = 100000,
    autovacuum_analyze_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.01
);
CREATE UNIQUE INDEX events_notification_id_idx ON events (notification_id);
-- Own hashes and envelopes are random bytes: compressing them costs time and saves nothing.
ALTER TABLE events ALTER COLUMN state SET STORAGE EXTERNAL;

-- The composite type by which the event store library writes several events in one statement.
CREATE TYPE stored_event_text AS (
    originator_id text,
    originator_version bigint,
    topic text,
    state bytea
);

-- Idempotency: what became of each accepted request.
CREATE TABLE requests (
    request_id text COLLATE "C" PRIMARY KEY,
    digest bytea NOT NULL,
    outcome bytea NOT NULL
);

-- How far each source's messages were handled; the event store library's tracking table.
CREATE TABLE positions (
    application_name text COLLATE "C" PRIMARY KEY,
    notification_id bigint NOT NULL
) WITH (fillfactor = 50);

-- The earliest deadline that each stem's state holds.
CREATE TABLE due (
    stem text COLLATE "C" PRIMARY KEY,
    at timestamptz,
    released_until timestamptz
) WITH (fillfactor = 50);
CREATE INDEX due_at_idx ON due (at) WHERE at IS NOT NULL;

-- When the application was last known to run, and up to where deadlines wait for release.
CREATE TABLE liveness (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    alive_at timestamptz NOT NULL,
    held_until timestamptz
);

-- Keys of confidential fields, one or more per subject, wrapped under the installation's master key.
CREATE TABLE keys (
    key_id bytea PRIMARY KEY,
    subject text COLLATE "C" NOT NULL,
    wrapped bytea NOT NULL,
    UNIQUE (subject)
);

-- Signed checkpoints over the log.
CREATE TABLE seals (
    number bigint PRIMARY KEY,
    body bytea NOT NULL,
    signature bytea NOT NULL
);

-- Least rights. The service adds and reads; only positions, deadlines and liveness change; nothing is deleted.
-- MAINTAIN is what LOCK TABLE asks for.
DO $$
DECLARE
    service text := 'cardroom_' || current_schema();
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I, cardroom_audit, cardroom_eraser', current_schema(), service);
    EXECUTE format('GRANT SELECT, INSERT, MAINTAIN ON events TO %I', service);
    EXECUTE format('GRANT SELECT, INSERT ON requests, keys, seals TO %I', service);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON positions, due, liveness TO %I', service);
    EXECUTE format('GRANT USAGE ON SEQUENCE events_notification_id_seq TO %I', service);
    GRANT SELECT ON events, positions, due, liveness, seals TO cardroom_audit;
    GRANT SELECT (key_id, subject), DELETE ON keys TO cardroom_eraser;
END
$$;
