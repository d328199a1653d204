-- Messages that could not be handled, and what became of them. Applied once per context, like the store.
-- Rows are added and never changed: what was parked, why, and who released or skipped it stays on record.

CREATE TABLE dead_letters (
    dead_letter_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    notification_id bigint NOT NULL,
    ordering_key text COLLATE "C" NOT NULL,
    envelope bytea NOT NULL,
    failed boolean NOT NULL, -- false: it waits behind one that failed
    reason text NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX dead_letters_key_idx ON dead_letters (consumer, source, ordering_key, dead_letter_id);

CREATE TABLE dead_letter_resolutions (
    dead_letter_id bigint PRIMARY KEY REFERENCES dead_letters,
    resolution text NOT NULL CHECK (resolution IN ('released', 'skipped')),
    actor text NOT NULL,
    reason text NOT NULL,
    resolved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Releases that failed again.
CREATE TABLE dead_letter_failures (
    dead_letter_id bigint NOT NULL REFERENCES dead_letters,
    actor text NOT NULL,
    reason text NOT NULL,
    failed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX dead_letter_failures_idx ON dead_letter_failures (dead_letter_id);

-- Those that the dead-letter topic has.
CREATE TABLE dead_letter_announcements (
    dead_letter_id bigint PRIMARY KEY REFERENCES dead_letters,
    announced_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Messages that still stand in the way of their key.
CREATE VIEW open_dead_letters AS
    SELECT dead_letter_id, consumer, source, partition, notification_id, ordering_key, envelope, failed, reason,
        parked_at
    FROM dead_letters
    WHERE NOT EXISTS (
        SELECT FROM dead_letter_resolutions r WHERE r.dead_letter_id = dead_letters.dead_letter_id);

CREATE VIEW unannounced_dead_letters AS
    SELECT dead_letter_id, consumer, source, partition, notification_id, ordering_key, envelope, failed, reason,
        parked_at
    FROM dead_letters
    WHERE NOT EXISTS (
        SELECT FROM dead_letter_announcements a WHERE a.dead_letter_id = dead_letters.dead_letter_id);

DO $$
DECLARE
    service text := 'cardroom_' || current_schema();
BEGIN
    EXECUTE format(
        'GRANT SELECT, INSERT ON dead_letters, dead_letter_resolutions, dead_letter_failures, '
        'dead_letter_announcements TO %I', service);
    EXECUTE format('GRANT SELECT ON open_dead_letters, unannounced_dead_letters TO %I', service);
    GRANT SELECT ON dead_letters, dead_letter_resolutions, dead_letter_failures, open_dead_letters
        TO cardroom_audit;
END
$$;
