package trawl

import "strings"

// filesPath is what the addresses of files that this server keeps begin with:
// screenshots, and what actions saved.
const filesPath = "/files/"

// HasFiles tells whether the document may name files of this server.
func (d *Document) HasFiles() bool { return d.Screenshot != "" || d.Actions != nil }

// WithFilesAt gives the document with the addresses of its files in full, base
// being scheme and host of the server. Without files it is the document itself.
func (d *Document) WithFilesAt(base string) *Document {
	if !d.HasFiles() {
		return d
	}
	out := *d
	out.Unseal()
	out.Screenshot = fileAt(base, d.Screenshot)
	if d.Actions != nil {
		actions := *d.Actions
		actions.Screenshots, actions.PDFs = filesAt(base, actions.Screenshots), filesAt(base, actions.PDFs)
		out.Actions = &actions
	}
	return &out
}

func filesAt(base string, links []string) []string {
	if links == nil {
		return nil
	}
	out := make([]string, len(links))
	for i, link := range links {
		out[i] = fileAt(base, link)
	}
	return out
}

// fileAt leaves everything alone that is no path of ours: a page may have addresses of its own.
func fileAt(base, link string) string {
	if !strings.HasPrefix(link, filesPath) {
		return link
	}
	return base + link
}
