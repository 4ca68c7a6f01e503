package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"github.com/trawlhq/trawl"
)

// A profile on disk: the browser's own files, and beside them the cookies,
// because the browser drops those of a session when it ends.
const (
	profileData    = "data"
	profileCookies = "cookies.json"

	quitWithin = 10 * time.Second // for a browser to write its state
)

// withProfile renders in a browser of its own that works on a copy of the
// profile. The copy replaces the profile only at the end, and only when asked.
func (p *Pool) withProfile(ctx context.Context, r Request, address *url.URL) (*Result, error) {
	if r.Profile.SaveChanges {
		unlock, err := lockProfile(r.Profile)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	dir, err := newRunDir(p.opts.DataDir)
	if err != nil {
		return nil, err
	}
	if err := copyProfile(filepath.Join(r.Profile.Dir, profileData), dir.userData()); err != nil {
		return nil, errors.Join(err, dir.remove())
	}
	proxy, err := p.proxies.local()
	if err != nil {
		return nil, errors.Join(err, dir.remove())
	}
	c, err := p.launch(ctx, launch{userData: dir.userData(), proxy: proxy.Addr(), isolate: true}, nil)
	if err != nil {
		return nil, errors.Join(err, dir.remove())
	}
	result, cookies, err := c.renderOnce(ctx, p, r, address)
	quit, cancel := context.WithTimeout(context.WithoutCancel(ctx), quitWithin)
	defer cancel()
	quitErr := c.quit(quit)
	if err == nil && r.Profile.SaveChanges {
		err = errors.Join(quitErr, saveProfile(r.Profile.Dir, dir.userData(), cookies))
	}
	return result, errors.Join(err, dir.remove())
}

// renderOnce renders in the browser's default context, whose state is the
// profile's, and gives the cookies as they are at the end.
func (c *chromium) renderOnce(ctx context.Context, p *Pool, r Request, address *url.URL) (*Result, []*network.Cookie, error) {
	proxy, err := p.proxies.local()
	if err != nil {
		return nil, nil, err
	}
	t, err := openTab(ctx, c, proxy.Grant(), false)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = t.close(closing) // the browser ends next
	}()
	if err := t.restoreCookies(ctx, r.Profile.Dir); err != nil {
		return nil, nil, err
	}
	result, err := t.render(ctx, r, address)
	if err != nil {
		return nil, nil, err
	}
	kept, err := call(ctx, c.root, storage.GetCookies, storage.GetCookiesParams{})
	return result, kept.Cookies, err
}

// lockProfile makes this process the profile's only writer.
func lockProfile(profile *Profile) (unlock func(), err error) {
	if err := os.MkdirAll(profile.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open profile: %w", err)
	}
	lock, err := lockFile(filepath.Join(profile.Dir, lockName))
	if err != nil {
		return nil, trawl.Errorf(trawl.Conflict, "Conflict").WithCode("PROFILE_LOCKED").
			WithDetails(map[string]any{"reason": "Another session is writing the profile " + profile.Name}).Because(err)
	}
	return func() { _ = lock.Close() }, nil // closing gives the lock back
}

// copyProfile copies what is worth keeping of a profile: not its caches.
func copyProfile(from, to string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil // a new one
	}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && isCache(entry.Name()):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, below), 0o700)
		case entry.Type().IsRegular():
			return copyFile(path, filepath.Join(to, below))
		}
		return nil // locks and sockets belong to the browser that made them
	})
	if err != nil {
		return fmt.Errorf("copy profile: %w", err)
	}
	return nil
}

func isCache(name string) bool {
	switch name {
	case "Cache", "Code Cache", "GPUCache", "DawnGraphiteCache", "DawnWebGPUCache", "ShaderCache", "GrShaderCache",
		"Crashpad", "component_crx_cache", "segmentation_platform":
		return true
	}
	return false
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// saveProfile replaces what is kept of the profile: first the new beside the
// old, then a rename, so that a crash leaves one of the two whole.
func saveProfile(dir, userData string, cookies []*network.Cookie) error {
	fresh, old := filepath.Join(dir, profileData+".new"), filepath.Join(dir, profileData+".old")
	kept := filepath.Join(dir, profileData)
	if err := errors.Join(os.RemoveAll(fresh), os.RemoveAll(old)); err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	if err := copyProfile(userData, fresh); err != nil {
		return err
	}
	written, err := json.Marshal(cookies)
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	if err := os.WriteFile(filepath.Join(fresh, profileCookies), written, 0o600); err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	if err := os.Rename(kept, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("save profile: %w", err)
	}
	if err := os.Rename(fresh, kept); err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	return os.RemoveAll(old)
}

// restoreCookies puts the saved cookies back, those of ended sessions included.
func (t *tab) restoreCookies(ctx context.Context, dir string) error {
	written, err := os.ReadFile(filepath.Join(dir, profileData, profileCookies))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	var saved []*network.Cookie
	if err := json.Unmarshal(written, &saved); err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	var cookies []*network.CookieParam
	for _, c := range saved {
		cookies = append(cookies, &network.CookieParam{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly,
			SameSite: c.SameSite, Expires: cdp.TimeSinceEpoch(max(c.Expires, 0)), PartitionKey: c.PartitionKey,
		})
	}
	if len(cookies) == 0 {
		return nil
	}
	return do(ctx, t.session, network.SetCookies, network.SetCookiesParams{Cookies: cookies})
}
