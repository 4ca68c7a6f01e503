-- Small facts about the installation itself.
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
);

-- Durable work. The states and who may move between them: internal/job/state.go.
CREATE TABLE jobs (
	id           TEXT PRIMARY KEY,
	team_id      TEXT NOT NULL,
	kind         TEXT NOT NULL,
	lane         TEXT NOT NULL,
	priority     BIGINT NOT NULL,
	unique_key   TEXT,             -- at most one live job of a team and kind has it
	state        TEXT NOT NULL,
	payload      TEXT NOT NULL,
	result       TEXT,
	failure      TEXT,             -- of the latest failed attempt
	attempt      BIGINT NOT NULL,
	max_attempts BIGINT NOT NULL,
	lost         BIGINT NOT NULL,  -- leases that ran out
	lease        BIGINT NOT NULL,  -- fencing token: counts claims, never goes back
	lease_until  BIGINT NOT NULL,
	worker       TEXT NOT NULL,
	cancelling   BOOLEAN NOT NULL,
	run_at       BIGINT NOT NULL,
	created_at   BIGINT NOT NULL,
	started_at   BIGINT NOT NULL,
	finished_at  BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL
);

CREATE UNIQUE INDEX jobs_unique ON jobs (team_id, kind, unique_key)
	WHERE unique_key IS NOT NULL AND state IN ('queued', 'running');
CREATE INDEX jobs_queued ON jobs (lane, team_id, priority, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (lane, team_id, lease_until) WHERE state = 'running';
CREATE INDEX jobs_cancelling ON jobs (worker) WHERE state = 'running' AND cancelling;
CREATE INDEX jobs_team ON jobs (team_id);
CREATE INDEX jobs_expiry ON jobs (expires_at);

-- Work that comes again. A due row makes a job and moves on, in one transaction.
CREATE TABLE schedules (
	id           TEXT PRIMARY KEY,
	team_id      TEXT NOT NULL,
	kind         TEXT NOT NULL,
	lane         TEXT NOT NULL,
	priority     BIGINT NOT NULL,
	payload      TEXT NOT NULL,
	max_attempts BIGINT NOT NULL,
	keep_ms      BIGINT NOT NULL,
	spec         TEXT NOT NULL,    -- read by whoever made the schedule, e.g. a cron line
	every_ms     BIGINT NOT NULL,
	next_run     BIGINT NOT NULL,
	last_run     BIGINT NOT NULL,
	paused       BOOLEAN NOT NULL,
	problem      TEXT NOT NULL     -- why it was paused by us
);

CREATE INDEX schedules_due ON schedules (next_run) WHERE NOT paused;
CREATE INDEX schedules_team ON schedules (team_id);

-- Keys of blobs whose rows are gone; emptied as the blobs are deleted.
CREATE TABLE orphans (
	blob_key TEXT PRIMARY KEY,
	since    BIGINT NOT NULL
);
