-- The group commit as one statement: what every batch does when nobody interfered.
--
-- Under the table's lock it compares the heads that the batch rests on, looks for request ids that were stored before
-- and for positions that are reached already. Where anything differs it writes nothing and says so; the caller then
-- finds out what, proposal by proposal. Each statement in here sees what was committed before the lock was had.
CREATE FUNCTION append_batch(
    head_streams text[], head_versions bigint[], head_hashes bytea[],
    unborn_stems text[],
    event_streams text[], event_versions bigint[], event_topics text[], event_states bytea[],
    asked_ids text[],
    request_ids text[], request_digests bytea[], request_outcomes bytea[],
    due_stems text[], due_ats timestamptz[],
    position_names text[], position_firsts bigint[], position_lasts bigint[],
    channel text, instance text,
    OUT done boolean, OUT first_id bigint, OUT last_id bigint
) LANGUAGE plpgsql VOLATILE SECURITY INVOKER AS $$
BEGIN
    LOCK TABLE events IN EXCLUSIVE MODE;
    done := NOT EXISTS (
        SELECT FROM unnest(head_streams, head_versions, head_hashes) AS s(stream, version, hash)
        LEFT JOIN LATERAL (
            SELECT e.originator_version AS version, substr(e.state, 1, 32) AS hash
            FROM events e WHERE e.originator_id = s.stream
            ORDER BY e.originator_version DESC LIMIT 1
        ) h ON true
        WHERE coalesce(h.version, 0) <> s.version OR (s.version > 0 AND h.hash <> s.hash)
    ) AND NOT EXISTS (
        SELECT FROM requests r WHERE r.request_id = ANY (asked_ids)
    );
    IF done AND cardinality(unborn_stems) > 0 THEN
        done := NOT EXISTS (
            SELECT FROM unnest(unborn_stems) AS s(stem)
            JOIN events e ON e.originator_id >= s.stem || '/0' AND e.originator_id < s.stem || '/:'
            WHERE substr(e.originator_id, length(s.stem) + 2) ~ '^\d{4}-\d{2}-\d{2}$'
        );
    END IF;
    IF done AND cardinality(position_names) > 0 THEN
        done := NOT EXISTS (
            SELECT FROM unnest(position_names, position_firsts) AS t(name, first)
            JOIN positions p ON p.application_name = t.name
            WHERE p.notification_id >= t.first
        );
    END IF;
    IF NOT done THEN
        RETURN;
    END IF;
    IF cardinality(event_streams) > 0 THEN
        WITH written AS (
            INSERT INTO events (originator_id, originator_version, topic, state)
            SELECT * FROM unnest(event_streams, event_versions, event_topics, event_states)
            RETURNING notification_id
        )
        SELECT min(notification_id), max(notification_id) INTO first_id, last_id FROM written;
        PERFORM pg_notify(channel, instance);
    END IF;
    INSERT INTO requests (request_id, digest, outcome)
    SELECT * FROM unnest(request_ids, request_digests, request_outcomes);
    IF cardinality(due_stems) > 0 THEN
        INSERT INTO due (stem, at) SELECT * FROM unnest(due_stems, due_ats)
        ON CONFLICT (stem) DO UPDATE SET at = excluded.at;
    END IF;
    IF cardinality(position_names) > 0 THEN
        INSERT INTO positions (application_name, notification_id)
        SELECT * FROM unnest(position_names, position_lasts)
        ON CONFLICT (application_name) DO UPDATE SET notification_id = excluded.notification_id;
    END IF;
END
$$;
