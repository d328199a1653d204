-- Read models of reporting; only its schema gets them. They can be emptied and rebuilt from what was published.

DO $$
BEGIN
    IF current_schema() <> 'reporting' THEN
        RETURN;
    END IF;

    -- Figures of a gaming day, added up by table and by what they count; `table_id` is empty for the room's own.
    CREATE TABLE day_figures (
        room text COLLATE "C" NOT NULL,
        gaming_day date NOT NULL,
        table_id text COLLATE "C" NOT NULL,
        figure text COLLATE "C" NOT NULL,
        amount bigint NOT NULL,
        PRIMARY KEY (room, gaming_day, figure, table_id)
    ) WITH (fillfactor = 50);

    GRANT SELECT, INSERT, UPDATE, DELETE ON day_figures TO cardroom_reporting;
    GRANT SELECT ON day_figures TO cardroom_audit;
END
$$;

-- Audit opens the cards of finished hands for those who may see them; names of players stay closed to it.
DO $$
BEGIN
    IF current_schema() = 'tables' THEN
        GRANT SELECT ON keys TO cardroom_audit;
    END IF;
END
$$;
