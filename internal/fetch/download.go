package fetch

import (
	"context"
	"net/url"
)

// Download names the failure to bring a file as such: whoever wants a file reads
// in the code whether the site turned us away, the proxy failed, or the download
// itself. What holds for any address (no such host, certificate, time) keeps its
// own name. family tells from the address what the file would be, PDF or DOCUMENT;
// empty: not known to be a file.
func Download(next Fetcher, family func(*url.URL) string) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		page, err := next.Fetch(ctx, r)
		if err == nil {
			return page, nil
		}
		if file := family(r.URL); file != "" {
			err = downloadError(err, "SCRAPE_"+file)
		}
		return nil, err
	})
}

func downloadError(err error, prefix string) error {
	d, e, ok := detailsOf(err)
	if !ok {
		return err
	}
	failed := *e
	switch {
	case isBlock(err):
		failed.Code = prefix + "_ANTIBOT_ERROR"
	case e.Code == "SCRAPE_SITE_ERROR" && d.Origin == "provider_proxy":
		failed.Code = prefix + "_FETCH_PROXY_ERROR"
	case e.Code == "SCRAPE_SITE_ERROR":
		failed.Code = prefix + "_PREFETCH_FAILED"
	default:
		return err
	}
	d.Retryable = true
	failed.Details = d
	return &failed
}
