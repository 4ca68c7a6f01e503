// Package openapi makes the OpenAPI 3.1 document of the service from the types
// that carry the wire, and checks requests against the very same schemas: what
// is documented, what is accepted and what the code reads cannot drift apart.
package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Operation is one line of the API.
type Operation struct {
	Method  string
	Path    string // as in the mux: /v2/scrape/{id}
	ID      string
	Tag     string
	Summary string
	Query   any  // zero value of the type that holds the query; nil: none is read
	Body    any  // zero value of the type of the JSON body; nil: none is read
	Form    any  // zero value of the type of the options of a form with a file; nil: no form is read
	Bytes   bool // the body is a file
	Reply   any  // zero value of the type of the answer
	Open    bool // needs no key
}

// Document is the OpenAPI document and the validators made from it.
type Document struct {
	tree       map[string]any
	schemas    map[string]any
	validators map[reflect.Type]*Validator
}

const resource = "urn:trawl:openapi"

// New makes the document of a list of operations. An error is a mistake in our
// own types.
func New(title, version string, operations []Operation) (*Document, error) {
	d := &Document{schemas: map[string]any{}, validators: map[reflect.Type]*Validator{}}
	d.addErrorSchemas()
	paths := map[string]any{}
	for _, op := range operations {
		item, _ := paths[op.Path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			paths[op.Path] = item
		}
		item[strings.ToLower(op.Method)] = d.operation(op)
	}
	d.tree = map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": title, "version": version, "license": map[string]any{"name": "Apache-2.0", "identifier": "Apache-2.0"}},
		"paths":   paths,
		"components": map[string]any{
			"schemas":         d.schemas,
			"securitySchemes": map[string]any{"key": map[string]any{"type": "http", "scheme": "bearer"}},
		},
	}
	return d, d.compile(operations)
}

// JSON gives the document as served.
func (d *Document) JSON() ([]byte, error) { return json.MarshalIndent(d.tree, "", "  ") }

// Validator gives the validator of a type that was named as a body or a query.
func (d *Document) Validator(of any) (*Validator, bool) {
	v, ok := d.validators[reflect.TypeOf(of)]
	return v, ok
}

func (d *Document) operation(op Operation) map[string]any {
	out := map[string]any{
		"operationId": op.ID, "tags": []any{op.Tag}, "summary": op.Summary,
		"responses": map[string]any{
			"200":     answer("Success.", d.schemaOf(reflect.TypeOf(op.Reply))),
			"default": answer("Failure; see the status, error and code.", ref("Error")),
		},
	}
	if op.Open {
		out["security"] = []any{}
	} else {
		out["security"] = []any{map[string]any{"key": []any{}}}
	}
	if content := d.requestContent(op); len(content) > 0 {
		out["requestBody"] = map[string]any{"required": true, "content": content}
	}
	if parameters := d.parameters(op); len(parameters) > 0 {
		out["parameters"] = parameters
	}
	return out
}

// requestContent are the forms a body may have.
func (d *Document) requestContent(op Operation) map[string]any {
	content := map[string]any{}
	if op.Body != nil {
		content = jsonContent(d.bodySchema(reflect.TypeOf(op.Body)))
	}
	if op.Form != nil {
		content["multipart/form-data"] = map[string]any{
			"schema": map[string]any{"type": "object", "required": []any{"file"}, "properties": map[string]any{
				"file": map[string]any{"type": "string", "format": "binary"}, "options": d.bodySchema(reflect.TypeOf(op.Form)),
			}},
			"encoding": map[string]any{"options": map[string]any{"contentType": "application/json"}},
		}
	}
	if op.Bytes {
		content["application/octet-stream"] = map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
	}
	return content
}

// parameters are the names in the path and the fields of the query.
func (d *Document) parameters(op Operation) []any {
	var list []any
	for rest := op.Path; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		list = append(list, map[string]any{"name": name, "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
		rest = tail
	}
	if op.Query == nil {
		return list
	}
	d.schemaOf(reflect.TypeOf(op.Query))
	object := d.schemas[reflect.TypeOf(op.Query).Name()].(map[string]any)
	required := map[any]bool{}
	for _, name := range anySlice(object["required"]) {
		required[name] = true
	}
	properties := object["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		list = append(list, map[string]any{"name": name, "in": "query", "required": required[name], "schema": properties[name]})
	}
	return list
}

// compile makes a validator for every type that is read from a caller.
func (d *Document) compile(operations []Operation) error {
	compiler := jsonschema.NewCompiler()
	tree, err := d.plain()
	if err != nil {
		return err
	}
	if err := compiler.AddResource(resource, tree); err != nil {
		return fmt.Errorf("add schemas: %w", err)
	}
	for _, op := range operations {
		for _, of := range []any{op.Body, op.Form, op.Query} {
			if of == nil {
				continue
			}
			t := reflect.TypeOf(of)
			compiled, err := compiler.Compile(resource + "#/components/schemas/" + t.Name())
			if err != nil {
				return fmt.Errorf("compile the schema of %s: %w", t.Name(), err)
			}
			d.validators[t] = &Validator{compiled: compiled, doc: d, schema: ref(t.Name())}
		}
	}
	return nil
}

// plain is the document as the JSON decoder would give it.
func (d *Document) plain() (any, error) {
	data, err := d.JSON()
	if err != nil {
		return nil, fmt.Errorf("write the document: %w", err)
	}
	return jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
}

func (d *Document) addErrorSchemas() {
	d.schemas["Error"] = map[string]any{
		"type": "object", "required": []any{"success", "error"},
		"properties": map[string]any{
			"success": map[string]any{"const": false},
			"error":   map[string]any{"type": "string", "description": "Identifies the case."},
			"code":    map[string]any{"type": "string", "description": "Machine code, where there is one."},
			"details": map[string]any{"description": "Issues per field, or an object."},
		},
	}
}

func answer(description string, schema any) map[string]any {
	return map[string]any{"description": description, "content": jsonContent(schema)}
}

func jsonContent(schema any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}
