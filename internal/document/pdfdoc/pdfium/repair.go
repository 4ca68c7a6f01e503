package pdfium

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	objectStart = regexp.MustCompile(`(?:^|[\r\n\s])(\d{1,10})\s+(\d{1,5})\s+obj\b`)
	isCatalog   = regexp.MustCompile(`/Type\s*/Catalog\b`)
	isTree      = regexp.MustCompile(`/Type\s*/Pages\b`)
	isPage      = regexp.MustCompile(`/Type\s*/Page\b`)
	hasParent   = regexp.MustCompile(`/Parent\s+\d+\s+\d+\s+R`)
)

// maxRepaired bounds how many objects of a damaged file are looked at.
const maxRepaired = 200_000

// headSize is how much of an object is looked at: its dictionary, mostly.
const headSize = 2048

// repair gives a file that the engine would not open a new end: a trailer that
// names the catalogue, with a catalogue and a list of pages where those are lost,
// too. The engine finds the objects itself. It is nil where there is nothing to
// go by; a file that is cut off usually still has its first pages.
func repair(body []byte) []byte {
	catalog, tree, highest := 0, 0, 0
	var pages []string
	for _, m := range objectStart.FindAllSubmatchIndex(body, maxRepaired) {
		id, err := strconv.Atoi(string(body[m[2]:m[3]]))
		if err != nil {
			continue
		}
		highest = max(highest, id)
		head := body[m[1]:min(len(body), m[1]+headSize)]
		if end := bytes.Index(head, []byte("endobj")); end >= 0 {
			head = head[:end]
		}
		switch {
		case isCatalog.Match(head):
			catalog = id
		case isTree.Match(head):
			if tree == 0 || !hasParent.Match(head) {
				tree = id
			}
		case isPage.Match(head):
			pages = append(pages, fmt.Sprintf("%d 0 R", id))
		}
	}
	var end bytes.Buffer
	end.WriteByte('\n')
	if catalog == 0 || tree == 0 {
		if tree == 0 && len(pages) == 0 {
			return nil
		}
		if tree == 0 {
			highest++
			tree = highest
			fmt.Fprintf(&end, "%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj\n", tree, len(pages), strings.Join(pages, " "))
		}
		highest++
		catalog = highest
		fmt.Fprintf(&end, "%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", catalog, tree)
	}
	fmt.Fprintf(&end, "trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n0\n%%%%EOF\n", highest+1, catalog)
	return append(bytes.Clone(body), end.Bytes()...)
}
