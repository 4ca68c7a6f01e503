package pages

import (
	"io"
	"net/http"
	"slices"
	"testing"
)

func TestPagesHaveTheSizeOfRealOnes(t *testing.T) {
	for i, page := range Make(8) {
		t.Logf("page %d: %d bytes", i, len(page))
		if len(page) < 60_000 || len(page) > 100_000 {
			t.Errorf("page %d has %d bytes, want 60,000 to 100,000", i, len(page))
		}
	}
}

func TestPagesDifferAndComeBackTheSame(t *testing.T) {
	first, second := Make(6), Make(6)
	if !slices.Equal(first, second) {
		t.Error("the same pages were asked for twice and differ")
	}
	if slices.Sort(first); len(slices.Compact(first)) != 6 {
		t.Error("two pages of one set are the same")
	}
}

func TestServedPageIsThePage(t *testing.T) {
	made := Make(2)
	site := Serve(made)
	defer site.Close()
	res, err := http.Get(site.URL + "/1")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || string(body) != made[1] {
		t.Errorf("got %d bytes and %v, want the %d of the page", len(body), err, len(made[1]))
	}
}
