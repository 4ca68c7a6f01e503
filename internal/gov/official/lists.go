package official

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// listECFR lists the titles of the Code of Federal Regulations at their latest
// issue. An unchanged issue keeps its address, so it is not brought again.
func listECFR(ctx context.Context, c *client, _ Options, yield func(file) error) error {
	var list struct {
		Titles []struct {
			Number   int    `json:"number"`
			Current  string `json:"up_to_date_as_of"`
			Issue    string `json:"latest_issue_date"`
			Reserved bool   `json:"reserved"`
		} `json:"titles"`
	}
	if err := c.readJSON(ctx, "/api/versioner/v1/titles.json", &list); err != nil {
		return err
	}
	for _, t := range list.Titles {
		date := t.Issue
		if date == "" {
			date = t.Current
		}
		if t.Reserved || date == "" {
			continue
		}
		address, err := c.address(fmt.Sprintf("/api/versioner/v1/full/%s/title-%d.xml", url.PathEscape(date), t.Number))
		if err != nil {
			return err
		}
		if err := yield(file{url: address, name: fmt.Sprintf("title-%d.xml", t.Number)}); err != nil {
			return err
		}
	}
	return nil
}

var titleZip = regexp.MustCompile(`href="([^"]*/xml_usc(\d+[aA]?)@[^"]*\.zip)"`)

// listUSCode lists the titles of the Code at the current release point: zip
// files with USLM inside.
func listUSCode(ctx context.Context, c *client, _ Options, yield func(file) error) error {
	const page = "/download/download.shtml"
	body, err := c.read(ctx, page)
	if err != nil {
		return err
	}
	base, err := c.root.Parse(page)
	if err != nil {
		return fmt.Errorf("read address: %w", err)
	}
	seen := make(map[string]bool)
	for _, m := range titleZip.FindAllStringSubmatch(string(body), -1) {
		u, err := base.Parse(m[1])
		if err != nil || seen[m[2]] {
			continue
		}
		seen[m[2]] = true
		if err := yield(file{url: u.String(), name: "usc" + strings.ToLower(m[2]) + ".zip"}); err != nil {
			return err
		}
	}
	if len(seen) == 0 {
		return fmt.Errorf("no titles on the download page")
	}
	return nil
}

// registerSpan is how far back the Federal Register is brought by default.
const registerSpan = 30 * 24 * time.Hour

// listRegister lists the documents of the Federal Register day by day: the
// metadata as the list gives it, and the plain text beside it.
func listRegister(ctx context.Context, c *client, opts Options, yield func(file) error) error {
	since := opts.Since
	if since.IsZero() {
		since = opts.now().Add(-registerSpan)
	}
	next := "/api/v1/documents.json?" + url.Values{
		"per_page": {"200"}, "order": {"oldest"}, "conditions[publication_date][gte]": {since.Format(time.DateOnly)},
		"fields[]": {"document_number", "citation", "title", "abstract", "type", "publication_date", "agency_names", "executive_order_number", "raw_text_url", "html_url"},
	}.Encode()
	for next != "" {
		var page struct {
			Results []json.RawMessage `json:"results"`
			Next    string            `json:"next_page_url"`
		}
		if err := c.readJSON(ctx, next, &page); err != nil {
			return err
		}
		for _, raw := range page.Results {
			if err := registerDocument(opts, raw, yield); err != nil {
				return err
			}
		}
		next = page.Next
	}
	return nil
}

var documentNumber = regexp.MustCompile(`^[0-9A-Za-z-]{3,20}$`)

func registerDocument(opts Options, raw json.RawMessage, yield func(file) error) error {
	var doc struct {
		Number string `json:"document_number"`
		Text   string `json:"raw_text_url"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if !documentNumber.MatchString(doc.Number) || doc.Text == "" {
		return nil
	}
	dir := filepath.Join(opts.Dir, "federal-register")
	if err := os.WriteFile(filepath.Join(dir, doc.Number+".json"), raw, 0o644); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return yield(file{url: doc.Text, name: doc.Number + ".txt"})
}

// court whose opinions are brought from CourtListener.
const court = "scotus"

// listCourtListener lists opinions, newest first, through the REST API. The
// list holds the opinions themselves, so none is asked for again.
func listCourtListener(ctx context.Context, c *client, opts Options, yield func(file) error) error {
	query := url.Values{"cluster__docket__court": {court}, "order_by": {"-date_created"}}
	if !opts.Since.IsZero() {
		query.Set("date_created__gte", opts.Since.Format(time.RFC3339))
	}
	next := "/api/rest/v4/opinions/?" + query.Encode()
	for next != "" {
		var page struct {
			Results []json.RawMessage `json:"results"`
			Next    string            `json:"next"`
		}
		if err := c.readJSON(ctx, next, &page); err != nil {
			return err
		}
		for _, raw := range page.Results {
			var op struct {
				ID       int    `json:"id"`
				Resource string `json:"resource_uri"`
			}
			if err := json.Unmarshal(raw, &op); err != nil {
				return fmt.Errorf("read opinion: %w", err)
			}
			if err := yield(file{url: op.Resource, name: fmt.Sprintf("%d.json", op.ID), body: raw}); err != nil {
				return err
			}
		}
		next = page.Next
	}
	return nil
}

// listDCCode lists the one archive of the Council's law as it stands now: the
// repository beside it, law-xml, holds the acts before they are codified.
func listDCCode(_ context.Context, c *client, _ Options, yield func(file) error) error {
	address, err := c.address("/repos/DCCouncil/law-xml-codified/zipball")
	if err != nil {
		return err
	}
	return yield(file{url: address, name: "law-xml-codified.zip"})
}

// Starter are the sources a fresh install brings first, in this order.
func Starter() []string { return slices.Clone([]string{"uscode", "ecfr"}) }
