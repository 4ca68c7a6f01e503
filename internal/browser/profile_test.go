package browser

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestProfileOutlivesItsRender(t *testing.T) {
	t.Parallel()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Add("Set-Cookie", "session=s; Path=/")
		w.Header().Add("Set-Cookie", "lasting=l; Path=/; Max-Age=3600")
		fmt.Fprintf(w, `<p>cookie %q</p><script>document.write('stored ' + localStorage.getItem('k')); localStorage.setItem('k', 'v')</script>`, r.Header.Get("Cookie"))
	})
	p := openPool(t, nil)
	profile := Profile{Name: "mine", Dir: filepath.Join(t.TempDir(), "mine")}
	saving := profile
	saving.SaveChanges = true

	step := func(name string, with Profile, want ...string) {
		t.Helper()
		got := mustRender(t, p, Request{URL: site.URL, Profile: &with})
		for _, w := range want {
			if !strings.Contains(got.HTML, w) {
				t.Errorf("%s: HTML = %s, want %s", name, got.HTML, w)
			}
		}
	}
	step("a reader finds nothing yet", profile, `cookie ""`, "stored null")
	step("and has left nothing", saving, `cookie ""`, "stored null")
	step("a writer's changes are found, session cookies too", profile, "session=s", "lasting=l", "stored v")

	unlock, err := lockProfile(&saving)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	_, err = render(t, p, Request{URL: site.URL, Profile: &saving})
	wantError(t, err, trawl.Conflict, "PROFILE_LOCKED")
	step("a reader does not mind a writer", profile, "stored v")
}
