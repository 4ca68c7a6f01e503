-- Slots for files that are sent before they are parsed. A row outlives the
-- reference to it: slots that were never parsed count against the team's limit.
CREATE TABLE upload_slots (
	id           TEXT PRIMARY KEY,
	team_id      TEXT NOT NULL,
	filename     TEXT NOT NULL,
	content_type TEXT NOT NULL,
	created_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL     -- when it counts no longer
);
CREATE INDEX upload_slots_team ON upload_slots (team_id, created_at);
CREATE INDEX upload_slots_expiry ON upload_slots (expires_at);

-- What slots hold. The bytes go as soon as nobody can ask for them any more.
CREATE TABLE uploads (
	id         TEXT PRIMARY KEY,     -- of its slot
	blob_key   TEXT NOT NULL,
	size       BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX uploads_expiry ON uploads (expires_at);
