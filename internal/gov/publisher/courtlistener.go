package publisher

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// CourtListener: an opinion as JSON, as its API gives it, or many as rows of
// the bulk table.

func matchCourtListener(name, head string) bool {
	return hasExt(name, ".json") && strings.Contains(head, `"absolute_url"`) && strings.Contains(head, `/opinion/`)
}

var (
	opinionPath   = regexp.MustCompile(`^/opinion/(\d+)/([^/]*)/?$`)
	lineNumbers   = regexp.MustCompile(`(?m)^ {0,2}\d{1,2}(?: {3,}|$)`)
	docketInText  = regexp.MustCompile(`(?m)Nos?\. ?(\d{2}-\d{3,5})`)
	circuitInText = regexp.MustCompile(`(?i)for the (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|federal|district of columbia) circuit`)
	ownReporter   = regexp.MustCompile(`^\s*(\d{1,4} F\.(?:2d|3d|4th|Supp\.(?: [23]d)?) \d{1,4})`)
)

func readCourtListener(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	var op struct {
		AbsoluteURL   string  `json:"absolute_url"`
		CaseName      string  `json:"case_name"`
		DateFiled     string  `json:"date_filed"`
		PlainText     string  `json:"plain_text"`
		HTML          string  `json:"html"`
		HTMLLawbox    string  `json:"html_lawbox"`
		HTMLColumbia  *string `json:"html_columbia"`
		HTMLCitations string  `json:"html_with_citations"`
	}
	if err := json.Unmarshal(body, &op); err != nil {
		return fmt.Errorf("read opinion: %w", err)
	}
	m := opinionPath.FindStringSubmatch(op.AbsoluteURL)
	if m == nil {
		return fmt.Errorf("no opinion address")
	}
	text := op.PlainText
	if strings.TrimSpace(text) == "" {
		columbia := ""
		if op.HTMLColumbia != nil {
			columbia = *op.HTMLColumbia
		}
		text = strings.ReplaceAll(htmlText(firstOf(op.HTMLCitations, op.HTMLLawbox, op.HTML, columbia)), "\n", "\n\n")
	}
	u := opinionUnit(m[1], text)
	u.URL = "https://www.courtlistener.com" + op.AbsoluteURL
	u.Heading, u.Date = firstOf(op.CaseName, caseName(m[2])), firstOf(firstDate(op.DateFiled), u.Date)
	return s.put(u)
}

// opinionUnit makes a unit of the text of an opinion and the number of its cluster.
func opinionUnit(cluster, text string) Unit {
	u := Unit{
		Key: "cl/" + cluster, URL: "https://www.courtlistener.com/opinion/" + cluster + "/", Jurisdiction: "us", Type: "opinion", Edition: "5",
		Text: paragraphs(lineNumbers.ReplaceAllString(text, "")),
	}
	u.court(text)
	return u
}

func matchOpinionTable(name, head string) bool {
	first, _, _ := strings.Cut(head, "\n")
	return hasExt(name, ".csv") && strings.Contains(first, "plain_text") && strings.Contains(first, "cluster_id")
}

// readOpinionTable reads the bulk table of opinions, a row each.
func readOpinionTable(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.LazyQuotes, rows.FieldsPerRecord, rows.ReuseRecord = true, -1, true
	header, err := rows.Read()
	if err != nil {
		return fmt.Errorf("read header: %w", err)
	}
	column := make(map[string]int)
	for i, h := range header {
		column[h] = i
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read row: %w", err)
		}
		cell := func(name string) string {
			if i, ok := column[name]; ok && i < len(row) {
				return row[i]
			}
			return ""
		}
		if err := s.put(tableOpinion(cell)); err != nil {
			return err
		}
	}
}

var caption = regexp.MustCompile(`(?m)^\s*([A-Z][\w.,' &-]{2,60}?),?\s+v\.\s+([A-Z][\w.,' &-]{2,60}?)[,.]?\s*$`)

func tableOpinion(cell func(string) string) Unit {
	text := strings.Clone(cell("plain_text"))
	if strings.TrimSpace(text) == "" {
		text = strings.ReplaceAll(htmlText(firstOf(cell("html_with_citations"), cell("html_columbia"), cell("html_lawbox"), cell("html"))), "\n", "\n\n")
	}
	cluster := cell("cluster_id")
	if cluster == "" || text == "" {
		return Unit{}
	}
	u := opinionUnit(cluster, text)
	u.Heading = "Opinion " + cluster
	if m := caption.FindStringSubmatch(text[:min(len(text), 3000)]); m != nil {
		u.Heading = tidy(m[1]) + " v. " + tidy(m[2])
	}
	return u
}

// court reads court, docket number and reporter citation from an opinion's first page.
func (u *Unit) court(text string) {
	head := text[:min(len(text), 3000)]
	court := ""
	if m := circuitInText.FindStringSubmatch(head); m != nil {
		court = titleCase(strings.ToUpper(m[1])) + " Circuit"
		u.Path = []string{"United States Court of Appeals for the " + court}
	}
	if u.Date == "" {
		u.Date = isoDate(head)
	}
	year := ""
	if len(u.Date) >= 4 {
		year = " " + u.Date[:4]
	}
	if m := ownReporter.FindStringSubmatch(head); m != nil {
		u.Citation = m[1]
		u.Aliases = append(u.Aliases, cite.Key(m[1]))
	} else if m := docketInText.FindStringSubmatch(head); m != nil {
		u.Citation = "No. " + m[1] + strings.TrimSuffix(" ("+strings.Replace(court, " Circuit", " Cir.", 1)+year+")", " ()")
		u.Aliases = append(u.Aliases, "docket/"+strings.ToLower(strings.Fields(court + " court")[0])+"/"+m[1])
	}
}

// caseName makes a name of the last part of an address: braga-v-hodgson.
func caseName(slug string) string {
	words := strings.Split(slug, "-")
	for i, w := range words {
		if w != "v" && w != "of" && w != "the" && w != "and" {
			words[i] = capital(w)
		} else if w == "v" {
			words[i] = "v."
		}
	}
	return strings.Join(words, " ")
}
