-- Releases of the government index: which files, in pieces in the blob store,
-- make the index that all nodes serve. The one with the highest number counts.
CREATE TABLE gov_releases (
	number       BIGINT PRIMARY KEY,
	id           TEXT NOT NULL,      -- digest of the manifest
	manifest     TEXT NOT NULL,      -- JSON: files, their pieces and their order
	published_at BIGINT NOT NULL
);
