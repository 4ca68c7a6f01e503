// Package trawl is the vocabulary of a web-data service that people run themselves.
//
// It holds the types of the HTTP API (what a caller sends and what comes back),
// the one error type that reaches callers, and one small interface for each of
// the nine capabilities: search, scrape, interact, parse, monitor, crawl, map,
// agent and government-index search. The services in this process, the queue
// that hands work to other processes and the remote client all implement the
// same interfaces, so the doors (HTTP, MCP, the terminal) cannot tell which of
// them they hold.
//
// Nothing here does any I/O, and nothing here knows a third-party package.
package trawl
