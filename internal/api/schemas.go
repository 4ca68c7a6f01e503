package api

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api/openapi"
)

// checkSchemas refuses a caller's own JSON Schema that is none, before any page
// is fetched for it. within is where in the body the formats are; empty: at its root.
func checkSchemas(formats []trawl.Format, within ...any) error {
	for i, f := range formats {
		if len(f.Schema) == 0 || bytes.Equal(f.Schema, []byte("null")) {
			continue
		}
		var schema any
		if err := json.Unmarshal(f.Schema, &schema); err != nil {
			return err
		}
		if problem := openapi.SchemaProblem(schema); problem != "" {
			return trawl.Errorf(trawl.Unprocessable, "Unprocessable Entity").WithCode("SCHEMA_INVALID").
				WithDetails(map[string]any{"reason": problem, "path": append(slices.Clip(within), "formats", i, "schema")})
		}
	}
	return nil
}
