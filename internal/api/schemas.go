package api

import (
	"bytes"
	"encoding/json"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api/openapi"
)

// checkSchemas refuses a caller's own JSON Schema that is none, before any page is fetched for it.
func checkSchemas(formats []trawl.Format) error {
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
				WithDetails(map[string]any{"reason": problem, "path": []any{"formats", i, "schema"}})
		}
	}
	return nil
}
