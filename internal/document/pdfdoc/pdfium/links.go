package pdfium

import (
	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// maxLinks bounds the links of one page, which may come in a circle.
const maxLinks = 2000

// actionURI is the type of an action that opens an address.
const actionURI = 3

// links reads the areas of the page that lead to an address.
func (r *reader) links() {
	in := r.in
	// The cursor and the link found live in the scratch space between calls, so
	// both are read before it is used for something else.
	cursor := uint32(0)
	for range maxLinks {
		if !in.memory.WriteUint32Le(in.scratch, cursor) {
			return
		}
		if in.call(r.ctx, "FPDFLink_Enumerate", r.handle, in.at(0), in.at(1)) == 0 || in.err != nil {
			return
		}
		cursor = in.word(0)
		link := uint64(in.word(2))
		if url := r.target(link); url != "" && in.call(r.ctx, "FPDFLink_GetAnnotRect", link, in.at(0)) != 0 {
			box := r.frame.rect(in.float(0), in.float(3), in.float(2), in.float(1))
			r.page.Links = append(r.page.Links, page.Link{Rect: box, URL: url})
		}
	}
}

// target is the address a link leads to; empty: it leads elsewhere.
func (r *reader) target(link uint64) string {
	action := r.in.call(r.ctx, "FPDFLink_GetAction", link)
	if action == 0 || r.in.call(r.ctx, "FPDFAction_GetType", action) != actionURI {
		return ""
	}
	return r.in.cstring(r.ctx, "FPDFAction_GetURIPath", r.Document.handle, action)
}
