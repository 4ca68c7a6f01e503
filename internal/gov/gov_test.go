package gov

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/gov/finding"
)

// importChild makes the test binary import a folder instead of running tests:
// TestKilledImportsEndTheSame kills it.
const importChild = "TRAWL_TEST_IMPORT_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(importChild); dir != "" {
		s, err := Open(context.Background(), Options{Dir: dir, list: shortList()})
		if err == nil {
			_, err = s.Import(context.Background(), []string{os.Args[len(os.Args)-1]}, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func openService(t testing.TB, dir string) *Service {
	t.Helper()
	return openWith(t, Options{Dir: dir, list: shortList()})
}

func openWith(t testing.TB, opts Options) *Service {
	t.Helper()
	s, err := Open(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// shortList stands for the finding list where a test is not about it.
func shortList() *findingList {
	return &findingList{digest: "short", entries: []finding.Entry{{
		Citations: []string{"42 U.S.C. § 1983"}, Keys: []string{"usc/42/1983"}, Heading: "Civil action for deprivation of rights",
		URL:   "https://uscode.house.gov/view.xhtml?req=granuleid:USC-prelim-title42-section1983&num=0&edition=prelim",
		Names: []string{"Section 1983"}, Words: []string{"civil rights lawsuit against an officer"},
		Abstract: "Lets a person sue officials who violate federal rights.", Jurisdiction: "us", Type: "statute",
	}, {
		Citations: []string{"800 U.S. 5", "No. 31-77"}, Keys: []string{"us/800/5", "docket/31-77"}, Heading: "Zeppelin v. Moor",
		URL: "https://www.courtlistener.com/c/U.S./800/5/", Names: []string{"airship doctrine"},
		Abstract: "Holds that airships may be moored to steeples.", Jurisdiction: "us", Type: "opinion",
	}}}
}

func search(t testing.TB, s *Service, query string) []Result {
	t.Helper()
	results, err := s.Search(context.Background(), query, 10)
	if err != nil {
		t.Fatalf("search %q: %v", query, err)
	}
	return results
}

func first(t testing.TB, s *Service, query string) Result {
	t.Helper()
	results := search(t, s, query)
	if len(results) == 0 {
		t.Fatalf("%q finds nothing", query)
	}
	return results[0]
}

// library is a small archive of law written for these tests.
func library() map[string]string {
	line := func(title, section, heading, text string) string {
		return fmt.Sprintf(`{"title": %s, "identifier": "/us/usc/t%s/s%s", "heading": %q, "text": %q}`+"\n", title, title, section, heading, text)
	}
	return map[string]string{
		"usc/code.jsonl": line("42", "1983", "Civil action for deprivation of rights", "Every person who, under color of any statute, deprives another of rights shall be liable to the party injured.") +
			line("29", "9901", "Unicycle examinations", "An employer may not require an employee to ride a unicycle.") +
			line("29", "9902", "Definitions", "In this chapter, employer, employee, unicycle and examination have these meanings.") +
			line("15", "9801", "Bottled lightning", "Bottled lightning may be sold on Fridays. This chapter may be cited as the \"Lightning Sales Act of 1931\"."),
		"md/gle.xml": `<legisdoc><article><section id=":gle::3:7::3-702:"><enum>3-702.</enum><text>An employer may not require riding a unicycle as a condition of employment.</text></section></article></legisdoc>`,
		"scotus/a.txt": "::decision_cite:: 700 U.S. 1 (2031)\n::decision_name:: Kite v. Wind\n::decision_year:: 2031\n::opinion_type:: Opinion\n::opinion::\n\n" +
			"A kite belongs to whoever holds its string. That much the common law always knew.\n",
		"cl/7.json": `{"absolute_url":"/opinion/777/string-v-tail/","plain_text":"UNITED STATES COURT OF APPEALS\nFor the First Circuit\n\nNo. 31-1000\n\nOwnership of airborne toys follows possession of the tether. Kite v. Wind, 700 U.S. 1 (2031). We apply that rule.\n"}`,
	}
}

func writeLibrary(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func archive(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}) {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "library.tar.zst")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustImport(t testing.TB, s *Service, paths ...string) Progress {
	t.Helper()
	p, err := s.Import(context.Background(), paths, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFreshInstallAnswersFromTheFindingList(t *testing.T) {
	s := openWith(t, Options{Dir: t.TempDir()})
	if r := first(t, s, "42 USC 1983"); !strings.Contains(r.URL, "title42-section1983") || !strings.HasPrefix(r.Description, "Lets a person sue") {
		t.Errorf("first = %+v", r)
	}
	found := false
	for _, r := range search(t, s, "can police search my phone without a warrant") {
		found = found || strings.Contains(r.URL, "amendment-4")
	}
	if !found {
		t.Error("the Fourth Amendment is not among the answers about searching a phone")
	}
}

func TestFullTextTakesThePlaceOfTheEntry(t *testing.T) {
	s := openService(t, t.TempDir())
	before := first(t, s, "42 USC 1983")
	mustImport(t, s, writeLibrary(t, library()))
	after := first(t, s, "42 USC 1983")
	if after.URL != before.URL || !strings.HasPrefix(after.Description, "Every person who") {
		t.Errorf("after the import: %+v", after)
	}
	if !slices.ContainsFunc(search(t, s, "civil rights lawsuit against an officer"), func(r Result) bool { return r.URL == before.URL }) {
		t.Error("everyday words of the entry no longer lead to the full text")
	}
}

func TestNewListsReplaceOldOnes(t *testing.T) {
	dir := t.TempDir()
	for n := range 2 * manySegments {
		list := shortList()
		list.digest = fmt.Sprint(n)
		list.entries[0].Abstract = fmt.Sprintf("Abstract number %d of this list.", n)
		if n%2 == 1 {
			list.entries = list.entries[:1]
		}
		s := openWith(t, Options{Dir: dir, list: list})
		if r := first(t, s, "42 USC 1983"); r.Description != list.entries[0].Abstract {
			t.Fatalf("list %d: %+v", n, r)
		}
		numbers, err := s.ix.Stats()
		if err != nil || numbers.Segments >= manySegments || numbers.Docs != 2*len(list.entries) {
			t.Fatalf("list %d leaves %+v, %v", n, numbers, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDecisionListedUnderAnotherNumberIsOneResult(t *testing.T) {
	s := openService(t, t.TempDir())
	if r := first(t, s, "Zeppelin v. Moor"); !strings.HasSuffix(r.URL, "/c/U.S./800/5/") {
		t.Errorf("before the import: %+v", r)
	}
	source := writeLibrary(t, map[string]string{"a.txt": "::decision_cite:: 31-77\n::decision_name:: Zeppelin v. Moor\n::decision_year:: 2031\n::opinion::\n\nSteeples serve.\n"})
	mustImport(t, s, source)
	for _, query := range []string{"800 U.S. 5", "No. 31-77", "airship doctrine", "Zeppelin v. Moor"} {
		results := search(t, s, query)
		if len(results) == 0 || !strings.HasSuffix(results[0].URL, "/31-77.html") {
			t.Errorf("%q: %+v, want the full text first", query, results)
		}
		if slices.ContainsFunc(results, func(r Result) bool { return strings.HasSuffix(r.URL, "/800/5/") }) {
			t.Errorf("%q: the entry is still there", query)
		}
	}
}

func TestQueriesFindWhatTheyMean(t *testing.T) {
	s := openService(t, t.TempDir())
	mustImport(t, s, archive(t, library()))
	for _, tc := range []struct {
		name, query, want string
		within            int // places it may come down to
	}{
		{"citation of a case", "700 U.S. 1", "/c/U.S./700/1/", 1},
		{"name of a case", "Kite v. Wind", "/c/U.S./700/1/", 1},
		{"name of an act without its year", "Lightning Sales Act", "title15-section9801", 1},
		{"words of a citing opinion, after that opinion", "ownership of airborne toys follows the tether", "/c/U.S./700/1/", 2},
		{"everyday words", "can my boss make me ride a unicycle", "title29-section9901", 2},
		{"a state named", "unicycle riding for a job in Maryland", "article=gle&section=3-702", 1},
		{"a citation in a sentence", "what does 29 U.S.C. § 9902 say about unicycles", "title29-section9902", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			results := search(t, s, tc.query)
			place := slices.IndexFunc(results, func(r Result) bool { return strings.Contains(r.URL, tc.want) })
			if place < 0 || place >= tc.within {
				t.Errorf("%q: %s at %d, want within %d", tc.query, tc.want, place+1, tc.within)
			}
		})
	}
}

func TestAnswersKeepTheContract(t *testing.T) {
	s := openService(t, t.TempDir())
	mustImport(t, s, writeLibrary(t, library()))
	for _, query := range []string{"unicycle employer", "rights", "42 USC 1983", "the", "§§§", "zzzzzz", strings.Repeat("law ", 500)} {
		results := search(t, s, query)
		again := search(t, s, query)
		if !slices.Equal(results, again) {
			t.Errorf("%.30q gives different answers", query)
		}
		seen := make(map[string]bool)
		for i, r := range results {
			if r.Position != i+1 || r.Title == "" || r.Description == "" || seen[r.URL] {
				t.Errorf("%.30q: result %d = %+v", query, i, r)
			}
			if n := utf8.RuneCountInString(r.Description); n > snippetSize {
				t.Errorf("%.30q: description of %d characters", query, n)
			}
			seen[r.URL] = true
		}
	}
	if got, err := s.Search(context.Background(), "employer", 1); err != nil || len(got) != 1 {
		t.Errorf("k = 1 gives %d results, %v", len(got), err)
	}
}

func TestImportingTwiceChangesNothing(t *testing.T) {
	s := openService(t, t.TempDir())
	packed, loose := archive(t, library()), writeLibrary(t, library())
	mustImport(t, s, packed, loose)
	before, err := s.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p := mustImport(t, s, packed, loose)
	after, err := s.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p.Changed != 0 || p.Skipped != 1 {
		t.Errorf("second import: %+v", p)
	}
	if before.Version != after.Version || before.Fingerprint != after.Fingerprint || before.Documents != 7 {
		t.Errorf("index went from %+v to %+v", before, after)
	}
}

// manySections is an archive large enough to be interrupted while it is read.
func manySections(t testing.TB) string {
	files := make(map[string]string)
	for n := range 8 {
		var b strings.Builder
		for i := range 120 {
			fmt.Fprintf(&b, `{"identifier": "/us/usc/t%d/s%d", "heading": "Section %d on kites", "text": %q}`+"\n", n+1, i+1, i,
				strings.Repeat(fmt.Sprintf("Kite number %d of title %d shall be flown with string %d. ", i, n, i*n), 30))
		}
		files[fmt.Sprintf("part-%02d.jsonl", n)] = b.String()
	}
	return archive(t, files)
}

func TestKilledImportsEndTheSame(t *testing.T) {
	source := manySections(t)
	whole := openService(t, t.TempDir())
	began := time.Now()
	mustImport(t, whole, source)
	took := time.Since(began)
	want, err := whole.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i := range 10 {
		child := exec.Command(os.Args[0], source)
		child.Env = append(os.Environ(), importChild+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = child.Wait(); close(ended) }()
		select { // somewhere between the first and the last moment of an import
		case <-time.After(took * time.Duration(i+1) / 11):
			_ = child.Process.Kill()
			<-ended
		case <-ended:
		}
	}
	s := openService(t, dir)
	mustImport(t, s, source)
	got, err := s.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got.Fingerprint != want.Fingerprint || got.Documents != want.Documents {
		t.Errorf("after ten kills %d documents, %s; want %d, %s", got.Documents, got.Fingerprint, want.Documents, want.Fingerprint)
	}
	for _, query := range []string{"kite number 17 string", "3 U.S.C. § 9", "section on kites"} {
		a, b := search(t, whole, query), search(t, s, query)
		if !slices.Equal(a, b) {
			t.Errorf("%q: %+v in one go, %+v after kills", query, a, b)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "unpack", "*")); len(left) > 0 {
		t.Errorf("unpacked files left behind: %v", left)
	}
}

func TestSearchWorksWhileImporting(t *testing.T) {
	s := openService(t, t.TempDir())
	source := manySections(t)
	asked := 0
	_, err := s.Import(context.Background(), []string{source}, func(Progress) {
		if _, err := s.Search(context.Background(), "42 USC 1983", 1); err != nil {
			t.Errorf("search while importing: %v", err)
		}
		asked++
	})
	if err != nil || asked == 0 {
		t.Errorf("import: %v, asked %d times", err, asked)
	}
}

func TestSyncBringsAndImports(t *testing.T) {
	office := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/versioner/v1/titles.json":
			fmt.Fprint(w, `{"titles":[{"number":7,"latest_issue_date":"2031-01-01"}]}`)
		case "/api/versioner/v1/full/2031-01-01/title-7.xml":
			fmt.Fprint(w, `<ECFR><DIV1 N="7"><HEAD>Title 7</HEAD><DIV8 N="§ 999.1"><HEAD>§ 999.1 Purpose of soup.</HEAD><P>Soup warms.</P></DIV8></DIV1></ECFR>`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer office.Close()
	s := openService(t, t.TempDir())
	p, err := s.Sync(context.Background(), "ecfr", SyncOptions{Client: office.Client(), Root: office.URL, Pause: time.Microsecond})
	if err != nil || p.Changed != 1 {
		t.Fatalf("sync = %+v, %v", p, err)
	}
	if r := first(t, s, "7 CFR 999.1"); r.Description != "Soup warms." {
		t.Errorf("first = %+v", r)
	}
}

func TestErrorsInTheWordsOfTheAPI(t *testing.T) {
	s := openService(t, t.TempDir())
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.GovSearch(gone, trawl.GovSearchRequest{Query: "kites"}); !errors.Is(err, context.Canceled) {
		t.Errorf("caller gone: %v", err)
	}
	late := apiError(context.Background(), fmt.Errorf("search: %w", context.DeadlineExceeded))
	var e *trawl.Error
	if !errors.As(late, &e) || e.Kind != trawl.UpstreamTimeout || e.Code != "GOV_INDEX_TIMEOUT" {
		t.Errorf("too slow: %v", late)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.GovSearch(context.Background(), trawl.GovSearchRequest{Query: "kites"})
	if !errors.As(err, &e) || e.Kind != trawl.Upstream || e.Code != "GOV_INDEX_ERROR" || e.Message != "Bad Gateway" {
		t.Errorf("index closed: %v", err)
	}
}

func TestHostileArchivesAreRefused(t *testing.T) {
	s := openService(t, t.TempDir())
	for _, tc := range []struct{ name, path string }{
		{"entry that leads out", archive(t, map[string]string{"../../outside.txt": "x"})},
		{"not an archive at all", func() string {
			path := filepath.Join(t.TempDir(), "x.tar.zst")
			if err := os.WriteFile(path, []byte("plain text"), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}()},
		{"nothing there", filepath.Join(t.TempDir(), "missing.tar.zst")},
	} {
		if _, err := s.Import(context.Background(), []string{tc.path}, nil); err == nil {
			t.Errorf("%s: imported", tc.name)
		}
	}
}
