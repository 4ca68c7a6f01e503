package openapi

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// SchemaProblem tells what is wrong with somebody else's JSON Schema; empty:
// nothing. References to the outside are not followed.
func SchemaProblem(schema any) string {
	const name = "urn:trawl:caller"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(name, schema); err != nil {
		return err.Error()
	}
	if _, err := compiler.Compile(name); err != nil {
		return strings.ReplaceAll(err.Error(), name, "schema")
	}
	return ""
}

// noLoader keeps a schema from reading files or addresses.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) {
	return nil, errors.New("references to other documents are not followed")
}
