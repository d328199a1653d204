"""The statements of the event store, all set-based: one round for what must be known, one for what is written."""

from typing import Final

APPEND: Final = """
SELECT done, first_id, last_id FROM append_batch(
    %b::text[], %b::int8[], %b::bytea[], %b::text[],
    %b::text[], %b::int8[], %b::text[], %b::bytea[],
    %b::text[], %b::text[], %b::bytea[], %b::bytea[],
    %b::text[], %b::timestamptz[], %b::text[], %b::int8[], %b::int8[], %b::text, %b::text)"""

LOCK: Final = "LOCK TABLE events IN EXCLUSIVE MODE"

HEADS: Final = """
SELECT s.id, h.originator_version, h.own_hash
FROM unnest(%b::text[]) AS s(id)
CROSS JOIN LATERAL (
    SELECT e.originator_version, substr(e.state, 1, 32) AS own_hash
    FROM events e WHERE e.originator_id = s.id
    ORDER BY e.originator_version DESC LIMIT 1
) h"""

REQUESTS: Final = """
SELECT request_id, digest, outcome FROM requests WHERE request_id = ANY(%b::text[])"""

POSITIONS: Final = """
SELECT application_name, notification_id FROM positions WHERE application_name = ANY(%b::text[])"""

CURRENT_DAYS: Final = r"""
SELECT s.stem, d.originator_id
FROM unnest(%b::text[]) AS s(stem)
CROSS JOIN LATERAL (
    SELECT e.originator_id FROM events e
    WHERE e.originator_id >= s.stem || '/0' AND e.originator_id < s.stem || '/:'
      AND substr(e.originator_id, length(s.stem) + 2) ~ '^\d{4}-\d{2}-\d{2}$'
    ORDER BY e.originator_id DESC LIMIT 1
) d"""

WRITE: Final = """
WITH written AS (
    INSERT INTO events (originator_id, originator_version, topic, state)
    SELECT * FROM unnest(%b::text[], %b::int8[], %b::text[], %b::bytea[])
    RETURNING notification_id
), asked AS (
    INSERT INTO requests (request_id, digest, outcome)
    SELECT * FROM unnest(%b::text[], %b::bytea[], %b::bytea[])
)
SELECT min(notification_id), max(notification_id), count(*), pg_notify(%b::text, %b::text)
FROM written"""

DUE: Final = """
INSERT INTO due (stem, at) SELECT * FROM unnest(%b::text[], %b::timestamptz[])
ON CONFLICT (stem) DO UPDATE SET at = excluded.at"""

TRACK: Final = """
INSERT INTO positions (application_name, notification_id)
SELECT * FROM unnest(%b::text[], %b::int8[])
ON CONFLICT (application_name) DO UPDATE SET notification_id = excluded.notification_id"""

LOAD: Final = """
SELECT h.originator_id, h.originator_version, h.topic, h.state, h.notification_id
FROM unnest(%b::text[], %b::int8[]) AS s(id, after)
CROSS JOIN LATERAL (
    SELECT e.* FROM events e
    WHERE e.originator_id = s.id AND e.originator_version > s.after
    ORDER BY e.originator_version
) h"""

WHOLE: Final = r"""
SELECT s.id, h.versions, h.topics, h.sizes, h.states
FROM string_to_table($1, E'\n') AS s(id)
CROSS JOIN LATERAL (
    SELECT string_agg(int8send(e.originator_version), ''::bytea) AS versions,
        string_agg(e.topic, ' ') AS topics,
        string_agg(int4send(length(e.state)), ''::bytea) AS sizes,
        string_agg(e.state, ''::bytea) AS states
    FROM (
        SELECT originator_version, topic, state FROM events
        WHERE originator_id = s.id ORDER BY originator_version
    ) e
) h
WHERE h.versions IS NOT NULL"""

LOG: Final = """
SELECT originator_id, originator_version, topic, state, notification_id FROM events
WHERE notification_id > %b AND notification_id <= %b ORDER BY notification_id LIMIT %b"""

LAST_ID: Final = "SELECT coalesce(max(notification_id), 0) FROM events"

POSITION: Final = "SELECT notification_id FROM positions WHERE application_name = %b"

DUE_TIMES: Final = "SELECT stem, at, released_until FROM due WHERE at IS NOT NULL"

RELEASE: Final = "UPDATE due SET released_until = %b WHERE stem = ANY(%b::text[])"

LIVENESS: Final = "SELECT alive_at, held_until FROM liveness"

BEAT: Final = """
INSERT INTO liveness (alive_at, held_until) VALUES (%b, %b)
ON CONFLICT (only_row) DO UPDATE SET alive_at = excluded.alive_at, held_until = excluded.held_until"""

SUBJECT_KEYS: Final = "SELECT key_id, subject, wrapped FROM keys WHERE subject = ANY(%b::text[])"

KEYS: Final = "SELECT key_id, subject, wrapped FROM keys WHERE key_id = ANY(%b::bytea[])"

ADD_KEY: Final = """
INSERT INTO keys (key_id, subject, wrapped) VALUES (%b, %b, %b) ON CONFLICT DO NOTHING"""

ERASE: Final = "DELETE FROM keys WHERE subject = %s"

SEALS: Final = (
    "SELECT number, body, signature FROM seals WHERE number > %b ORDER BY number LIMIT %b"
)

LAST_SEAL: Final = "SELECT number, body, signature FROM seals ORDER BY number DESC LIMIT 1"

ADD_SEAL: Final = """
INSERT INTO seals (number, body, signature) VALUES (%b, %b, %b) ON CONFLICT DO NOTHING"""
