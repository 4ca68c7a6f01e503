package browser

import (
	"context"
	_ "embed" // for brandingScript
)

// brandingScript reads the looks of a page from its computed styles.
//
//go:embed script/branding.js
var brandingScript string

func (t *tab) branding(ctx context.Context) (map[string]any, error) {
	return ask[map[string]any](ctx, t, brandingScript)
}
