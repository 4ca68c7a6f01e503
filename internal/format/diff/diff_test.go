package diff_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/format/diff"
)

func TestChangeIsWrittenBothWays(t *testing.T) {
	got := diff.Lines("one\ntwo\nthree", "one\n2\nthree\nfour")
	want := "--- previous\n+++ current\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n"
	if got.Text != want {
		t.Errorf("text:\n%s\nwant:\n%s", got.Text, want)
	}
	tree, err := json.Marshal(got.JSON)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"from":"previous","to":"current"`, `"content":"@@ -1,3 +1,4 @@"`,
		`{"type":"normal","normal":true,"ln1":1,"ln2":1,"content":" one"}`,
		`{"type":"del","del":true,"ln":2,"content":"-two"}`,
		`{"type":"add","add":true,"ln":2,"content":"+2"}`,
		`{"type":"add","add":true,"ln":4,"content":"+four"}`,
	} {
		if !strings.Contains(string(tree), part) {
			t.Errorf("tree lacks %s:\n%s", part, tree)
		}
	}
}

func TestTextThatAppearedIsAllAdded(t *testing.T) {
	got := diff.Lines("", "new")
	if got.Text != "--- previous\n+++ current\n@@ -1 +1 @@\n-\n+new\n" {
		t.Errorf("text:\n%s", got.Text)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Fuzz(func(t *testing.T, before, after string) {
		var kept, made []string
		for _, chunk := range diff.Lines(before, after).JSON.Files[0].Chunks {
			for _, change := range chunk.Changes {
				if !change.Add {
					kept = append(kept, change.Content[1:])
				}
				if !change.Del {
					made = append(made, change.Content[1:])
				}
			}
		}
		if !strings.Contains(before, strings.Join(kept, "\n")) && len(diff.Lines(before, after).JSON.Files[0].Chunks) == 1 {
			t.Errorf("old side %q is not of %q", kept, before)
		}
		if !strings.Contains(after, strings.Join(made, "\n")) && len(diff.Lines(before, after).JSON.Files[0].Chunks) == 1 {
			t.Errorf("new side %q is not of %q", made, after)
		}
	})
}
