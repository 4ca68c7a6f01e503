package publisher

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
)

// The Federal Register: the daily issue in two kinds of XML, and single
// documents as the public API serves them.

func registerUnit(number, subject string) Unit {
	number = cite.Dashes(number)
	key := "fr/" + number
	address, _ := cite.URL(key)
	return Unit{
		Key: key, URL: address, Citation: "FR Doc. " + number, Heading: subject, Jurisdiction: "us",
		Type: "federal-register", Edition: "5",
	}
}

var registerDocuments = set(`RULE PRORULE NOTICE PRESDOCU`)

var registerText = layout{
	blocks: set(`P HD FP AGY ACT SUM EFFDATE ADD FURINF SUPLINF AGENCY SUBAGY CFR DEPDOC SUBJECT SIG ROW GPOTABLE EXTRACT
		LSTSUB AMDPAR SECTION REGTEXT`),
	skip: set(`PRTPAGE FRDOC BILCOD`),
}

var (
	frDocNumber = regexp.MustCompile(`FR Doc\.? ?([0-9A-Z]{1,5}[-–][0-9]+)`)
	longDate    = regexp.MustCompile(`(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}), (\d{4})`)
)

func readRegisterIssue(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	x := newXMLReader(f)
	volume, date, page := "", "", ""
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil {
			continue
		}
		el := start.Name.Local
		if !registerDocuments[el] && el != "VOL" && el != "DATE" && el != "PRTPAGE" && el != "CNTNTS" {
			continue
		}
		n, err := x.take(start)
		if err != nil {
			return err
		}
		switch el {
		case "VOL":
			volume = n.line()
		case "DATE":
			if date == "" {
				date = isoDate(n.line())
			}
		case "PRTPAGE":
			page = n.attr("P")
		case "CNTNTS":
		default:
			u := registerDocument(n)
			u.Date = date
			u.addPage(volume, firstOf(pageIn(n), page))
			if err := s.put(u); err != nil {
				return err
			}
			page = lastPage(n, page)
		}
	}
}

// pageIn gives the page on which a document begins, where it says so before
// any text.
func pageIn(n *node) string {
	if pre := n.find("PREAMB"); pre != nil && len(pre.kids) > 0 {
		for _, k := range pre.kids {
			if k.name == "PRTPAGE" {
				return k.attr("P")
			}
			if k.name != "" {
				break
			}
		}
	}
	return ""
}

func lastPage(n *node, page string) string {
	n.all("PRTPAGE", func(p *node) { page = firstOf(p.attr("P"), page) })
	return page
}

// addPage records the citation by volume and page.
func (u *Unit) addPage(volume, page string) {
	if volume == "" || page == "" {
		return
	}
	u.Aliases = append(u.Aliases, "frpage/"+volume+"/"+page)
	u.Citation = volume + " FR " + page
}

func registerDocument(n *node) Unit {
	m := frDocNumber.FindStringSubmatch(n.find("FRDOC").line())
	if m == nil {
		return Unit{}
	}
	u := registerUnit(m[1], firstOf(n.find("SUBJECT").line(), n.find("HD").line(), n.find("TITLE3").line()))
	u.Path = dedupe([]string{n.find("AGENCY").line(), n.find("SUBAGY").line(), n.find("CFR").line()})
	u.Text = registerText.text(n)
	if no := n.find("EXECORDR").line(); no != "" {
		if key := cite.Key(no); key != "" {
			u.Aliases = append(u.Aliases, key)
		}
	}
	return u
}

func firstOf(options ...string) string {
	for _, s := range options {
		if s != "" {
			return s
		}
	}
	return ""
}

var months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// isoDate finds a date written out in a text.
func isoDate(s string) string {
	m := longDate.FindStringSubmatch(s)
	if m == nil {
		return firstDate(s)
	}
	for i, name := range months {
		if name == m[1] {
			return fmt.Sprintf("%s-%02d-%02s", m[3], i+1, m[2])
		}
	}
	return ""
}

func matchRegisterUSLM(_, head string) bool {
	return strings.Contains(head, "<frDoc") || strings.Contains(head, "Federal Register Issue") && strings.Contains(head, "uslm")
}

var uslmDocuments = set(`rule notice proposedRule presidentialDoc presidentialDocument document correction`)

func readRegisterUSLM(s *source, name string) error {
	f, err := s.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	x := newXMLReader(f)
	volume, date := "", ""
	for {
		start, _, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start == nil {
			continue
		}
		el := start.Name.Local
		id := xmlAttr(start.Attr, "identifier")
		switch {
		case el == "meta" && date == "":
			n, err := x.take(start)
			if err != nil {
				return err
			}
			date = isoDate(n.find("title").line())
			if m := regexp.MustCompile(`Volume (\d+)`).FindStringSubmatch(n.find("title").line()); m != nil {
				volume = m[1]
			}
		case uslmDocuments[el] && strings.Contains(id, "/us/fr/"):
			n, err := x.take(start)
			if err != nil {
				return err
			}
			u := uslmRegisterDocument(n)
			u.Date = date
			u.addPage(volume, n.find("startingPage").line())
			if err := s.put(u); err != nil {
				return err
			}
		}
	}
}

func uslmRegisterDocument(n *node) Unit {
	_, number, ok := strings.Cut(n.attr("identifier"), "frdoc")
	if m := frDocNumber.FindStringSubmatch(n.find("frDocId").line()); m != nil {
		number, ok = m[1], true
	}
	if !ok {
		return Unit{}
	}
	u := registerUnit(number, n.find("subject").line())
	u.Path = dedupe([]string{n.find("organization").line()})
	u.Text = uslmText.text(n)
	return u
}

func matchRegisterAPI(name, head string) bool {
	return hasExt(name, ".json") && strings.Contains(head, "federalregister.gov")
}

// readRegisterAPI reads the JSON of one document; its text lies beside it under
// the same name with .txt, as the API's raw text address gives it.
func readRegisterAPI(s *source, name string) error {
	body, err := fs.ReadFile(s.fsys, name)
	if err != nil {
		return err
	}
	var doc struct {
		Number      string   `json:"document_number"`
		Citation    string   `json:"citation"`
		Title       string   `json:"title"`
		Abstract    string   `json:"abstract"`
		Type        string   `json:"type"`
		Published   string   `json:"publication_date"`
		Agencies    []string `json:"agency_names"`
		OrderNumber any      `json:"executive_order_number"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if doc.Number == "" {
		return nil
	}
	u := registerUnit(doc.Number, doc.Title)
	u.Date, u.Path, u.Edition = doc.Published, append([]string{doc.Type}, doc.Agencies...), "6"
	if doc.Citation != "" {
		u.Citation = doc.Citation
		u.Aliases = append(u.Aliases, cite.Key(doc.Citation))
	}
	if n := fmt.Sprint(doc.OrderNumber); doc.OrderNumber != nil && n != "" {
		u.Aliases = append(u.Aliases, "eo/"+n)
		u.Names = append(u.Names, "Executive Order "+n)
	}
	raw, err := fs.ReadFile(s.fsys, strings.TrimSuffix(name, ".json")+".txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	u.Text = strings.TrimSpace(doc.Abstract + "\n" + printedText(string(raw)))
	return s.put(u)
}

var (
	angleTags = regexp.MustCompile(`<[^>]{1,200}>`)
	pageMark  = regexp.MustCompile(`\[\[Page [^\]]*\]\]`)
)

// printedText joins the lines of fixed-width text into paragraphs: an empty or
// an indented line begins a new one.
func printedText(raw string) string {
	raw = pageMark.ReplaceAllString(angleTags.ReplaceAllString(raw, " "), " ")
	var out []string
	var para []string
	flush := func() {
		if len(para) > 0 {
			out = append(out, tidy(strings.Join(para, " ")))
			para = nil
		}
	}
	for _, line := range strings.Split(strings.ReplaceAll(raw, "\r", ""), "\n") {
		if strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		if strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "          ") {
			flush()
		}
		para = append(para, strings.Trim(line, " _-=\t"))
	}
	flush()
	return strings.Join(out, "\n")
}
