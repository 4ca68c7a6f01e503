// Package sitemap finds the addresses of a site.
//
// What sites say about themselves comes first: sitemap files in their five
// shapes (a set of addresses, an index of further files, plain text, RSS, Atom),
// packed or not, often broken. Read takes any of them as a stream, so that a file
// of any size costs no more memory than one of its entries.
package sitemap
