// Package config holds every setting once: its flag, its environment variable,
// its key in trawl.yaml, its default and its help line are one field here.
//
// Flags override the environment, the environment overrides the file. Only app
// and cli look at settings; all other packages take the few values they need.
package config

import "time"

// Storage says where trawl keeps things. Every command has it.
type Storage struct {
	DataDir     string `name:"data-dir" env:"TRAWL_DATA_DIR" default:"./data" help:"Folder of SQLite files, blobs, indexes and browser profiles."`
	DatabaseURL string `name:"database-url" env:"TRAWL_DATABASE_URL" help:"postgres://… moves all state and the queue to PostgreSQL. Empty: SQLite in the data directory."`
	BlobURL     string `name:"blob-url" env:"TRAWL_BLOB_URL" help:"s3://bucket/prefix?endpoint=… puts page bodies, screenshots and files there. Empty: the data directory."`
}

// Fetching says how pages are brought.
type Fetching struct {
	AllowPrivateNetworks string   `name:"allow-private-networks" env:"TRAWL_ALLOW_PRIVATE_NETWORKS" default:"false" help:"true: loopback and private ranges may be fetched. A list a.b.c.d/nn,host names exceptions only."`
	Chromium             string   `name:"chromium" env:"TRAWL_CHROMIUM" help:"Path of the browser, or ws:// addresses of remote ones, comma-separated. Empty: looked up."`
	MaxBrowsers          int      `name:"max-browsers" env:"TRAWL_MAX_BROWSERS" help:"Pages loaded at once. 0: from the machine's size."`
	Proxy                string   `name:"proxy" env:"TRAWL_PROXY" help:"Outbound proxy for proxy: basic."`
	ProxyStealth         string   `name:"proxy-stealth" env:"TRAWL_PROXY_STEALTH" help:"Outbound proxy for proxy: stealth."`
	ProxyCountries       []string `name:"proxy-countries" env:"TRAWL_PROXY_COUNTRIES" help:"Outbound proxies by country, DE=http://…,FR=http://…: the way out of requests with that location.country. When set, other countries are refused."`
	BlockedHosts         []string `name:"blocked-hosts" env:"TRAWL_BLOCKED_HOSTS" help:"Hosts that are never scraped, with their subdomains."`
	CacheSize            int64    `name:"cache-size" env:"TRAWL_CACHE_SIZE" default:"4096" help:"Budget of the page cache in MiB; the oldest pages go first."`
}

// Logging says what is written to standard error.
type Logging struct {
	LogFormat string `name:"log-format" env:"TRAWL_LOG_FORMAT" default:"text" enum:"text,json" help:"text or json."`
	LogLevel  string `name:"log-level" env:"TRAWL_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"debug, info, warn or error."`
}

// Access says who may call, and how much.
type Access struct {
	BootstrapKey     string   `name:"bootstrap-key" env:"TRAWL_BOOTSTRAP_KEY" help:"This exact key is valid from the first start (team default, all scopes). Empty: the first start makes one and prints it once."`
	Auth             string   `name:"auth" env:"TRAWL_AUTH" default:"on" enum:"on,off" help:"off: every request is team default."`
	Plans            string   `name:"plans" env:"TRAWL_PLANS" help:"File with plans: requests per minute, concurrent pages, credits per month. Empty: no limits for keys."`
	DefaultPlan      string   `name:"default-plan" env:"TRAWL_DEFAULT_PLAN" help:"Plan of the team default, and of teams when they are made. Empty: as it is; self-hosted at first."`
	Keyless          []string `name:"keyless" env:"TRAWL_KEYLESS" default:"gov" help:"Operations open to callers without a key: gov, search, scrape, parse, interact."`
	KeylessRequests  int      `name:"keyless-requests" env:"TRAWL_KEYLESS_REQUESTS" default:"100" help:"Requests per day and address without a key."`
	KeylessCredits   int      `name:"keyless-credits" env:"TRAWL_KEYLESS_CREDITS" default:"100" help:"Credits per day and address without a key."`
	KeylessGovMinute int      `name:"keyless-gov-minute" env:"TRAWL_KEYLESS_GOV_MINUTE" default:"10" help:"Government searches per minute and address without a key."`
	KeylessGovDay    int      `name:"keyless-gov-day" env:"TRAWL_KEYLESS_GOV_DAY" default:"200" help:"Government searches per day and address without a key. 0: none."`
	IgnoreRobots     string   `name:"ignore-robots" env:"TRAWL_IGNORE_ROBOTS" default:"off" enum:"on,off" help:"on: crawls may set ignoreRobotsTxt and robotsUserAgent; off: these are refused."`
	ZeroRetention    string   `name:"zero-retention" env:"TRAWL_ZERO_RETENTION" default:"on" enum:"on,off" help:"off: requests with zeroDataRetention are refused."`
}

// Serve is everything the server can be told.
type Serve struct {
	Storage
	Fetching
	Logging
	Access

	Role           string        `name:"role" env:"TRAWL_ROLE" default:"all" enum:"all,api,worker" help:"all: everything in one process. api or worker: one part only; needs PostgreSQL."`
	Addr           string        `name:"addr" env:"TRAWL_ADDR" default:"127.0.0.1:3002" help:"Listen address."`
	PublicURL      string        `name:"public-url" env:"TRAWL_PUBLIC_URL" help:"What absolute links start with. Empty: as the request came in."`
	TrustedProxies []string      `name:"trusted-proxies" env:"TRAWL_TRUSTED_PROXIES" help:"Addresses and ranges whose X-Forwarded-* headers are believed."`
	Workers        int           `name:"workers" env:"TRAWL_WORKERS" help:"Jobs worked on at once. 0: from the machine's size."`
	GovSync        string        `name:"gov-sync" env:"TRAWL_GOV_SYNC" default:"on" enum:"on,off" help:"off: the first start does not bring full texts of US law from the official sources in the background."`
	BodyLimit      int64         `name:"body-limit" env:"TRAWL_BODY_LIMIT" default:"10485760" help:"Largest JSON body in bytes."`
	DrainTime      time.Duration `name:"drain-time" env:"TRAWL_DRAIN_TIME" default:"20s" help:"How long running requests may take to finish when the server stops."`
}
