package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var testSchema = Schema{Fields: []string{"title", "names"}}

func open(t testing.TB, dir string) *Index {
	t.Helper()
	ix, err := Open(dir, testSchema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

func doc(key, title string, passages ...string) *Doc {
	d := &Doc{Key: key, Version: "1", Fields: []string{title, ""}, Meta: []byte("meta of " + key)}
	for _, p := range passages {
		d.Passages = append(d.Passages, Passage{Text: p})
	}
	return d
}

// write adds documents in one commit each.
func write(t testing.TB, ix *Index, docs ...*Doc) {
	t.Helper()
	w := writer(t, ix)
	for _, d := range docs {
		if _, err := w.Add(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func writer(t testing.TB, ix *Index) *Writer {
	t.Helper()
	w, err := ix.Writer()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func reader(t testing.TB, ix *Index) *Reader {
	t.Helper()
	r, err := ix.Reader()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func plainQuery(text string) Query {
	q := Query{
		Fields: []Weight{{Times: 2, B: 0.5}, {Times: 1, B: 0.5}}, Body: Weight{Times: 1, B: 0.5}, About: Weight{Times: 1, B: 0.5},
		BestPassage: 0.5, BestAbout: 0.5, Limit: 10,
	}
	for _, term := range NewAnalyzer().Terms(text) {
		q.Groups = append(q.Groups, Group{{Term: term, Weight: 1}})
	}
	return q
}

func keys(t testing.TB, ix *Index, q Query) []string {
	t.Helper()
	hits, err := reader(t, ix).Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Key)
	}
	return out
}

func TestSearchRanksByFieldsAndPassages(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix,
		doc("rent", "Security deposits", "A landlord shall return the deposit within forty-five days.", "Interest is paid on it."),
		doc("tax", "Income tax", "A tax is imposed on the income of every person.", "The landlord of a building is a person."),
		doc("fish", "Fishing licences", "No person may take trout without a licence."),
	)
	for _, tc := range []struct{ query, first string }{
		{"landlord deposit", "rent"},
		{"taxes on incomes", "tax"},
		{"trout", "fish"},
		{"DEPOSITS", "rent"},
	} {
		if got := keys(t, ix, plainQuery(tc.query)); len(got) == 0 || got[0] != tc.first {
			t.Errorf("%q finds %v, want %s first", tc.query, got, tc.first)
		}
	}
	if got := keys(t, ix, plainQuery("zebra")); got != nil {
		t.Errorf("zebra finds %v, want nothing", got)
	}
}

func TestHitNamesItsBestPassageAndGivesMetaBack(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix, doc("a", "", "Nothing of interest here.", "The otter builds no dams.", "Beavers build dams."))
	r := reader(t, ix)
	hits, err := r.Search(context.Background(), plainQuery("otter dams"))
	if err != nil || len(hits) != 1 {
		t.Fatalf("hits = %v, %v", hits, err)
	}
	text, err := r.PassageText(hits[0].Passages[0])
	if err != nil || text != "The otter builds no dams." {
		t.Errorf("best passage = %q, %v", text, err)
	}
	if string(hits[0].Meta) != "meta of a" {
		t.Errorf("meta = %q", hits[0].Meta)
	}
	if text, ok, _ := r.Text(hits[0], 2); !ok || text != "Beavers build dams." {
		t.Errorf("third passage = %q", text)
	}
	if _, ok, _ := r.Text(hits[0], 3); ok {
		t.Error("a fourth passage was found")
	}
}

func TestPassagesAboutAnotherDocumentCountForIt(t *testing.T) {
	ix := open(t, t.TempDir())
	citing := doc("citing", "", "We turn to the question of costs.")
	citing.Passages = append(citing.Passages, Passage{Text: "A coerced confession is worthless.", About: "miranda"},
		Passage{Text: "Known by another number, about lanterns.", About: "second-name"})
	cited := doc("miranda", "Miranda v. Arizona", "The warnings must be given.")
	cited.Labels = []string{AliasLabel("second-name")}
	write(t, ix, citing, cited)
	if got := keys(t, ix, plainQuery("coerced confession")); !slices.Equal(got, []string{"miranda"}) {
		t.Errorf("found %v, want the cited document only", got)
	}
	if got := keys(t, ix, plainQuery("lanterns")); !slices.Equal(got, []string{"miranda"}) {
		t.Errorf("found %v by alias, want the cited document only", got)
	}
}

func TestAlternativesCountAsTheBestOfThem(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix, doc("car", "", "automobile"), doc("both", "", "automobile vehicle", "nothing else"), doc("other", "", "horse"))
	q := plainQuery("automobile")
	q.Groups[0] = append(q.Groups[0], Word{Term: NewAnalyzer().Terms("vehicle")[0], Weight: 0.1})
	if got := keys(t, ix, q); !slices.Equal(got, []string{"car", "both"}) && !slices.Equal(got, []string{"both", "car"}) {
		t.Errorf("found %v", got)
	}
}

func TestBoostMovesLabelledDocuments(t *testing.T) {
	ix := open(t, t.TempDir())
	here, there := doc("here", "", "dogs must be on a leash in the park today"), doc("there", "", "dogs on a leash")
	here.Labels = []string{"j:here"}
	write(t, ix, here, there)
	q := plainQuery("dogs leash")
	q.Boosts = []Boost{{Label: "j:here", Times: 5}}
	if got := keys(t, ix, q); got[0] != "here" {
		t.Errorf("found %v, want the boosted one first", got)
	}
	if n := reader(t, ix).Count("j:here"); n != 1 {
		t.Errorf("Count = %d, want 1", n)
	}
}

func TestNewerVersionStandsWhateverComesFirst(t *testing.T) {
	older, newer := doc("k", "older text"), doc("k", "newer text")
	newer.Version = "2"
	for _, order := range [][]*Doc{{older, newer}, {newer, older}} {
		for _, commits := range []bool{true, false} {
			ix := open(t, t.TempDir())
			if commits {
				write(t, ix, order...)
			} else {
				w := writer(t, ix)
				for _, d := range order {
					if _, err := w.Add(context.Background(), d); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(w.Commit(), w.Close()); err != nil {
					t.Fatal(err)
				}
			}
			if got := keys(t, ix, plainQuery("newer")); len(got) != 1 {
				t.Errorf("newer text is not there (commits apart: %v)", commits)
			}
			if got := keys(t, ix, plainQuery("older")); len(got) != 0 {
				t.Errorf("older text is still there (commits apart: %v)", commits)
			}
		}
	}
}

func TestAddingTheSameAgainChangesNothing(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix, doc("a", "alpha", "one"), doc("b", "beta", "two"))
	before, err := ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	write(t, ix, doc("a", "alpha", "one"), doc("b", "beta", "two"))
	after, err := ix.Stats()
	if err != nil || after != before {
		t.Errorf("stats went from %+v to %+v, %v", before, after, err)
	}
}

func TestDeletedAndRetiredDocumentsAreGone(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix, doc("a", "alpha"), doc("b", "beta"), doc("c", "gamma"))
	w := writer(t, ix)
	if err := errors.Join(w.Delete("a"), w.Retire("b", "2"), w.Retire("c", "1"), w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, ix, plainQuery("alpha beta gamma")); !slices.Equal(got, []string{"c"}) {
		t.Errorf("found %v, want c only", got)
	}
	if _, ok, _ := reader(t, ix).ByKey("a"); ok {
		t.Error("a deleted document is found by key")
	}
}

func TestUncommittedWorkIsDropped(t *testing.T) {
	dir := t.TempDir()
	ix := open(t, dir)
	write(t, ix, doc("a", "alpha"))
	w := writer(t, ix)
	if _, err := w.Add(context.Background(), doc("b", "beta")); err != nil {
		t.Fatal(err)
	}
	w.SetNote("x", "y")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if got := keys(t, again, plainQuery("beta")); got != nil {
		t.Errorf("uncommitted document found: %v", got)
	}
	w = writer(t, again) // sweeps what was left behind
	defer w.Close()
	if w.Note("x") != "" {
		t.Error("uncommitted note is there")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(left) != 1 {
		t.Errorf("segment files = %v, want one", left)
	}
}

func TestCompactKeepsAnswersAndOneSegment(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("lease rent tax income court judge fish water road bridge school child parent vote ballot jury")
	var docs []*Doc
	for i := range 60 {
		d := doc(fmt.Sprintf("doc-%02d", i), pick(random, vocabulary, 3), pick(random, vocabulary, 20), pick(random, vocabulary, 20))
		d.Labels = []string{fmt.Sprintf("group:%d", i%3)}
		if i%4 == 0 {
			d.Passages = append(d.Passages, Passage{Text: pick(random, vocabulary, 6), About: fmt.Sprintf("doc-%02d", (i*7)%60)})
		}
		docs = append(docs, d)
	}
	whole, pieces := open(t, t.TempDir()), open(t, t.TempDir())
	w := writer(t, whole)
	for _, d := range docs {
		if _, err := w.Add(context.Background(), d); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	shuffled := slices.Clone(docs)
	random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	write(t, pieces, doc("doc-05", "an older text that must go", "zebra"))
	for _, d := range shuffled {
		d.Version = "2"
	}
	write(t, pieces, shuffled...)
	w = writer(t, pieces)
	if err := errors.Join(w.Compact(context.Background()), w.Close()); err != nil {
		t.Fatal(err)
	}
	stats, err := pieces.Stats()
	if err != nil || stats.Segments != 1 || stats.Docs != 60 {
		t.Fatalf("stats after compact = %+v, %v", stats, err)
	}
	for _, query := range []string{"rent lease", "income tax court", "fish", "zebra", "jury ballot school road"} {
		a, b := keys(t, whole, plainQuery(query)), keys(t, pieces, plainQuery(query))
		if !slices.Equal(a, b) {
			t.Errorf("%q: %v in one piece, %v merged", query, a, b)
		}
	}
	if n := reader(t, pieces).Count("group:1"); n != 20 {
		t.Errorf("label counted %d times after compact, want 20", n)
	}
}

func pick(r *rand.Rand, words []string, n int) string {
	var out []string
	for range n {
		out = append(out, words[r.IntN(len(words))])
	}
	return strings.Join(out, " ")
}

func TestAnotherProcessSeesCommits(t *testing.T) {
	dir := t.TempDir()
	writing, reading := open(t, dir), open(t, dir)
	write(t, writing, doc("a", "alpha"))
	deadline := time.Now().Add(10 * time.Second)
	for len(keys(t, reading, plainQuery("alpha"))) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("commit of the other index is not seen")
		}
		reading.mu.Lock()
		reading.checked = time.Time{} // as if a second had passed
		reading.mu.Unlock()
		if err := reading.Refresh(); err != nil {
			t.Fatal(err)
		}
	}
	w := writer(t, writing)
	defer w.Close()
	if _, err := reading.Writer(); !errors.Is(err, ErrLocked) {
		t.Errorf("second writer: %v, want ErrLocked", err)
	}
}

func TestReaderKeepsItsSight(t *testing.T) {
	ix := open(t, t.TempDir())
	write(t, ix, doc("a", "alpha", "first text"), doc("b", "beta", "second text"))
	r := reader(t, ix)
	hits, err := r.Search(context.Background(), plainQuery("first"))
	if err != nil || len(hits) != 1 {
		t.Fatalf("hits = %v, %v", hits, err)
	}
	w := writer(t, ix)
	if err := errors.Join(w.Delete("a"), w.Compact(context.Background()), w.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := r.PassageText(hits[0].Passages[0]); err != nil || text != "first text" {
		t.Errorf("after compact the old sight reads %q, %v", text, err)
	}
}

func TestDamagedFilesAreErrorsNotPanics(t *testing.T) {
	dir := t.TempDir()
	ix := open(t, dir)
	write(t, ix, doc("a", "alpha", "some text here"))
	segments, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(segments) != 1 {
		t.Fatal(segments, err)
	}
	whole, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(segments[0], whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if ix, err := Open(dir, testSchema); err == nil {
			_ = ix.Close()
			t.Fatalf("segment cut at %d of %d bytes opened", cut, len(whole))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, testSchema); err == nil {
		t.Error("broken manifest opened")
	}
}

func FuzzSegmentBytes(f *testing.F) {
	dir := f.TempDir()
	ix := open(f, dir)
	write(f, ix, doc("a", "alpha", "some text here"))
	segments, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(segments) != 1 {
		f.Fatal(segments, err)
	}
	whole, err := os.ReadFile(segments[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<16 {
			return
		}
		name := filepath.Join(t.TempDir(), "x.seg")
		if err := os.WriteFile(name, body, 0o644); err != nil {
			t.Fatal(err)
		}
		seg, err := openSegment(filepath.Dir(name), "x.seg", 2)
		if err != nil {
			return
		}
		defer seg.release()
		_, _ = seg.postings(2, "text")
		if len(seg.PassageLen) > 0 {
			_, _ = seg.texts.item(0)
		}
	})
}
