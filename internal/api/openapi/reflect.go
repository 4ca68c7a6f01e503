package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// described is a type that knows its own schema: one with several forms on the wire.
type described interface{ JSONSchema() map[string]any }

var (
	describedType = reflect.TypeFor[described]()
	rawType       = reflect.TypeFor[json.RawMessage]()
)

// schemaOf gives the schema of a Go type. Named types become components and
// are referred to, so each stands in the document once.
func (d *Document) schemaOf(t reflect.Type) map[string]any {
	switch {
	case t == nil || t == rawType || t.Kind() == reflect.Interface:
		return map[string]any{}
	case t.Kind() == reflect.Pointer:
		return d.schemaOf(t.Elem())
	case t.Implements(describedType):
		return d.component(t, func() map[string]any { return reflect.Zero(t).Interface().(described).JSONSchema() })
	}
	switch t.Kind() {
	case reflect.Struct:
		return d.component(t, func() map[string]any { return d.object(t) })
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": d.schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": d.schemaOf(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	default:
		return map[string]any{"type": "integer"}
	}
}

// component registers a named type before it is filled, so that types may refer to themselves.
func (d *Document) component(t reflect.Type, build func() map[string]any) map[string]any {
	if t.Name() == "" {
		return build()
	}
	if _, known := d.schemas[t.Name()]; !known {
		placeholder := map[string]any{}
		d.schemas[t.Name()] = placeholder
		for key, value := range build() {
			placeholder[key] = value
		}
	}
	return ref(t.Name())
}

// bodySchema is the schema of a request body: every body may also name the
// client and the integration it comes from, because the published clients do so everywhere.
func (d *Document) bodySchema(t reflect.Type) map[string]any {
	reference := d.schemaOf(t)
	if object, ok := d.schemas[t.Name()].(map[string]any); ok {
		if properties, ok := object["properties"].(map[string]any); ok {
			properties["origin"] = map[string]any{"type": "string", "default": "api", "description": "Label of the client; only logged."}
			properties["integration"] = map[string]any{"type": "string", "maxLength": 64, "description": "Label of the integration; only logged."}
		}
	}
	return reference
}

func (d *Document) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []any{}
	for _, field := range fields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := d.schemaOf(field.Type)
		rules := splitRules(field.Tag.Get("schema"))
		if slices.Contains(rules, "required") {
			required = append(required, name)
		}
		if described := withRules(property, rules, field.Tag.Get("doc")); described != nil {
			property = described
		}
		properties[name] = property
	}
	object := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

// fields are the fields that travel, those of embedded structs included.
func fields(t reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Tag.Get("json") == "" {
			list = append(list, fields(field.Type)...)
			continue
		}
		if name := field.Tag.Get("json"); field.IsExported() && name != "" && name != "-" {
			list = append(list, field)
		}
	}
	return list
}

// splitRules splits at commas that are not inside brackets: a default may be a list.
func splitRules(tag string) []string {
	var rules []string
	depth, start := 0, 0
	for i, c := range tag {
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			rules = append(rules, tag[start:i])
			start = i + 1
		}
	}
	return append(rules, tag[start:])
}

// keywords are the rules of a field tag whose value is a JSON number or text.
var keywords = map[string]string{
	"min": "minimum", "max": "maximum", "minLength": "minLength", "maxLength": "maxLength",
	"minItems": "minItems", "maxItems": "maxItems", "format": "format", "pattern": "pattern",
}

// withRules adds the rules of a field tag and its documentation to a schema.
func withRules(schema map[string]any, rules []string, doc string) map[string]any {
	out := map[string]any{}
	for key, value := range schema {
		out[key] = value
	}
	if doc != "" {
		out["description"] = doc
	}
	for _, rule := range rules {
		name, value, _ := strings.Cut(rule, "=")
		switch {
		case name == "enum":
			out["enum"] = anySlice(strings.Split(value, "|"))
		case name == "default":
			out["default"] = literal(value)
		case keywords[name] != "":
			out[keywords[name]] = literal(value)
		}
	}
	return out
}

// literal reads a JSON value; what is none is text.
func literal(text string) any {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		return value
	}
	return text
}

func ref(name string) map[string]any {
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

func anySlice(list any) []any {
	switch list := list.(type) {
	case []any:
		return list
	case []string:
		out := make([]any, len(list))
		for i, text := range list {
			out[i] = text
		}
		return out
	default:
		return nil
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
