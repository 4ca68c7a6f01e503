-- Crawls and batches: what was asked for, how far it is.
CREATE TABLE crawls (
	id             TEXT PRIMARY KEY,
	team_id        TEXT NOT NULL,
	key_id         TEXT NOT NULL,
	kind           TEXT NOT NULL,     -- crawl or batch
	url            TEXT NOT NULL,     -- the start, as written; of a batch its first address
	base           TEXT NOT NULL,     -- what the scope is measured from; another host after a redirect of the start
	options        TEXT NOT NULL,     -- JSON: scope and pace
	scrape_options TEXT NOT NULL,     -- JSON array; pages name theirs by its index
	webhook        TEXT NOT NULL,     -- JSON; empty: none
	zero_retention BOOLEAN NOT NULL,
	status         TEXT NOT NULL,     -- scraping, completed, failed, cancelled
	error          TEXT NOT NULL,
	page_limit     BIGINT NOT NULL,   -- documents at most
	discovered     BOOLEAN NOT NULL,  -- sitemaps are read to their end
	revisited      BOOLEAN NOT NULL,  -- pages of the crawl before were looked at
	trapped        TEXT NOT NULL,     -- an address that led into a trap; empty: none did
	seen           BIGINT NOT NULL,   -- addresses taken into the frontier so far
	waiting        BIGINT NOT NULL,   -- pages by state
	leased         BIGINT NOT NULL,
	done           BIGINT NOT NULL,
	failed         BIGINT NOT NULL,
	blocked        BIGINT NOT NULL,   -- refused by robots.txt
	credits        BIGINT NOT NULL,
	created_at     BIGINT NOT NULL,
	finished_at    BIGINT NOT NULL,
	expires_at     BIGINT NOT NULL
);
CREATE INDEX crawls_running ON crawls (team_id, created_at) WHERE status = 'scraping';
CREATE INDEX crawls_seed ON crawls (team_id, url, created_at);
CREATE INDEX crawls_expiry ON crawls (expires_at);

-- The frontier: one row per address of a crawl, from its discovery to its result.
CREATE TABLE crawl_pages (
	id          TEXT PRIMARY KEY,     -- its scrape id
	crawl_id    TEXT NOT NULL,
	seq         BIGINT NOT NULL,      -- order of discovery
	depth       BIGINT NOT NULL,
	url         TEXT NOT NULL,
	identity    BLOB NOT NULL,        -- what all spellings of the address share
	state       TEXT NOT NULL,        -- waiting, leased, done, failed, blocked, dropped, alias
	options     BIGINT NOT NULL,      -- index into scrape_options
	hidden      BOOLEAN NOT NULL,     -- known from the crawl before, not linked any more
	tries       BIGINT NOT NULL,      -- leases so far
	leased_by   TEXT NOT NULL,        -- job
	lease_until BIGINT NOT NULL,
	position    BIGINT NOT NULL,      -- order of completion, without gaps
	code        TEXT NOT NULL,        -- of a failure
	message     TEXT NOT NULL,
	finished_at BIGINT NOT NULL,
	expires_at  BIGINT NOT NULL
);
CREATE UNIQUE INDEX crawl_pages_identity ON crawl_pages (crawl_id, identity);
CREATE INDEX crawl_pages_waiting ON crawl_pages (crawl_id, depth, seq) WHERE state = 'waiting';
CREATE INDEX crawl_pages_leased ON crawl_pages (crawl_id) WHERE state = 'leased';
CREATE UNIQUE INDEX crawl_pages_done ON crawl_pages (crawl_id, position) WHERE state = 'done';
CREATE INDEX crawl_pages_ended ON crawl_pages (crawl_id, state, finished_at) WHERE state IN ('failed', 'blocked');
CREATE INDEX crawl_pages_expiry ON crawl_pages (expires_at);

-- Requests that must not be carried out twice.
CREATE TABLE idempotency (
	id         TEXT PRIMARY KEY,      -- team and key
	job_id     TEXT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

-- Webhook events: those to be sent, and what became of the others.
CREATE TABLE deliveries (
	id           TEXT PRIMARY KEY,    -- the webhookId
	team_id      TEXT NOT NULL,
	job_id       TEXT NOT NULL,
	event        TEXT NOT NULL,       -- crawl.page, …
	target       TEXT NOT NULL,       -- team and address: what one sender serves
	webhook      TEXT NOT NULL,       -- JSON
	scrape_id    TEXT NOT NULL,       -- the document the event is about; empty: none
	error        TEXT NOT NULL,       -- of a failed job
	seq          BIGINT NOT NULL,     -- order within the job
	state        TEXT NOT NULL,       -- pending, delivered, dropped
	attempts     BIGINT NOT NULL,
	status       BIGINT NOT NULL,     -- of the last answer; 0: none
	problem      TEXT NOT NULL,       -- of the last attempt
	next_at      BIGINT NOT NULL,
	created_at   BIGINT NOT NULL,
	delivered_at BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL
);
CREATE INDEX deliveries_due ON deliveries (target, next_at, created_at, seq) WHERE state = 'pending';
CREATE INDEX deliveries_job ON deliveries (job_id, seq);
CREATE INDEX deliveries_expiry ON deliveries (expires_at);

-- Addresses this server has seen: what map knows of a site without asking it.
CREATE TABLE urls (
	id          TEXT PRIMARY KEY,     -- hash of the address
	domain      TEXT NOT NULL,        -- registrable
	url         TEXT NOT NULL,
	title       TEXT NOT NULL,
	description TEXT NOT NULL,
	seen_at     BIGINT NOT NULL,
	expires_at  BIGINT NOT NULL
);
CREATE INDEX urls_domain ON urls (domain, seen_at);
CREATE INDEX urls_expiry ON urls (expires_at);

-- Sitemap addresses of a site, so that a second map does not read the files again.
CREATE TABLE sitemaps (
	id         TEXT PRIMARY KEY,      -- the start
	body       BLOB NOT NULL,         -- addresses, one a line, compressed
	read_at    BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sitemaps_expiry ON sitemaps (expires_at);
