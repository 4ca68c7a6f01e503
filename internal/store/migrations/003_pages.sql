-- Pages as they were brought: the cache from which every format is derived.
CREATE TABLE pages (
	id            TEXT PRIMARY KEY,
	cache_key     TEXT NOT NULL,
	url           TEXT NOT NULL,     -- after redirects
	status        BIGINT NOT NULL,
	reason        TEXT NOT NULL,
	content_type  TEXT NOT NULL,
	header        TEXT NOT NULL,     -- JSON object
	etag          TEXT NOT NULL,
	last_modified TEXT NOT NULL,
	engine        TEXT NOT NULL,
	proxy         TEXT NOT NULL,
	wait_for      BIGINT NOT NULL,   -- milliseconds the page was given after loading
	body          BLOB,              -- small bodies, compressed; null: under blob_key
	blob_key      TEXT NOT NULL,
	shot_key      TEXT NOT NULL,     -- blob of the screenshot taken with the page; empty: none
	extra         TEXT NOT NULL,     -- JSON: what else was captured with the page
	size          BIGINT NOT NULL,   -- bytes kept
	fetched_at    BIGINT NOT NULL,
	expires_at    BIGINT NOT NULL
);
CREATE INDEX pages_key ON pages (cache_key, fetched_at);
CREATE INDEX pages_expiry ON pages (expires_at);
CREATE INDEX pages_age ON pages (fetched_at);

-- Contents of documents, kept once however often they were given out.
CREATE TABLE contents (
	id         TEXT PRIMARY KEY,     -- hash of the content
	body       BLOB,
	blob_key   TEXT NOT NULL,
	size       BIGINT NOT NULL,
	expires_at BIGINT NOT NULL       -- of the last scrape that needs it
);
CREATE INDEX contents_expiry ON contents (expires_at);

-- Finished scrapes that can be read again.
CREATE TABLE scrapes (
	id         TEXT PRIMARY KEY,
	team_id    TEXT NOT NULL,
	content_id TEXT NOT NULL,
	metadata   TEXT NOT NULL,        -- JSON
	key_id     TEXT NOT NULL,
	endpoint   TEXT NOT NULL,        -- under which it counts as activity; empty: a page of a job, which counts itself
	target     TEXT NOT NULL,        -- what was asked for
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX scrapes_activity ON scrapes (team_id, created_at, id) WHERE endpoint <> '';

-- Pictures and papers that answers point to, under names nobody can guess.
CREATE TABLE files (
	id           TEXT PRIMARY KEY,   -- the name
	blob_key     TEXT NOT NULL,
	content_type TEXT NOT NULL,
	expires_at   BIGINT NOT NULL
);
CREATE INDEX files_expiry ON files (expires_at);

-- The last tracked text of a page, per team and tag. Does not expire.
CREATE TABLE snapshots (
	team_id    TEXT NOT NULL,
	url        TEXT NOT NULL,
	tag        TEXT NOT NULL,
	text       BLOB NOT NULL,        -- compressed
	scraped_at BIGINT NOT NULL,
	PRIMARY KEY (team_id, url, tag)
);
