-- Who may call, and what they have used.
CREATE TABLE teams (
	id             TEXT PRIMARY KEY,
	name           TEXT NOT NULL,
	plan           TEXT NOT NULL,
	webhook_secret TEXT NOT NULL,
	allowed_ips    TEXT NOT NULL,  -- JSON array
	created_at     BIGINT NOT NULL
);

CREATE TABLE keys (
	id             TEXT PRIMARY KEY,
	team_id        TEXT NOT NULL REFERENCES teams (id),
	hash           TEXT NOT NULL UNIQUE,  -- SHA-256 of the key, hex; the key itself is never kept
	last4          TEXT NOT NULL,
	name           TEXT NOT NULL,
	owner_id       TEXT NOT NULL,
	scopes         TEXT NOT NULL,         -- JSON array
	formats        TEXT NOT NULL,         -- JSON array
	spend_credits  BIGINT NOT NULL,       -- 0: no limit of its own
	spend_interval TEXT NOT NULL,
	created_at     BIGINT NOT NULL,
	last_used_at   BIGINT NOT NULL,
	expires_at     BIGINT NOT NULL,       -- 0: never
	revoked_at     BIGINT NOT NULL        -- 0: valid
);
CREATE INDEX keys_team ON keys (team_id, created_at);

-- Credits spent, per key and UTC day: the source of every usage report.
CREATE TABLE usage (
	team_id TEXT NOT NULL,
	key_id  TEXT NOT NULL,
	day     BIGINT NOT NULL,  -- days since 1970
	credits BIGINT NOT NULL,
	PRIMARY KEY (team_id, day, key_id)
);

-- A meter counts something in a window and may have a limit: requests in a
-- minute, credits in a month, a stranger's requests in a day.
CREATE TABLE meters (
	id         TEXT PRIMARY KEY,  -- what is counted, and when its window began
	used       BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX meters_expiry ON meters (expires_at);

-- Pages being loaded right now, one row each, where several processes share the limit.
CREATE TABLE slots (
	id         TEXT PRIMARY KEY,
	team_id    TEXT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX slots_team ON slots (team_id, expires_at);

-- What was asked for in the last day.
CREATE TABLE activity (
	id         TEXT PRIMARY KEY,
	team_id    TEXT NOT NULL,
	key_id     TEXT NOT NULL,
	endpoint   TEXT NOT NULL,
	target     TEXT NOT NULL,  -- empty for zero-retention requests
	succeeded  BOOLEAN NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX activity_team ON activity (team_id, created_at, id);
