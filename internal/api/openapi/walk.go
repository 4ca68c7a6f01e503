package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// normalise drops nulls that stand for absent fields and writes whole numbers
// as integers. It follows the schema, so free-form values (a caller's own JSON
// Schema, say) are left as they are.
func (d *Document) normalise(value any, schema map[string]any) (any, bool) {
	schema = d.resolve(value, schema)
	switch value := value.(type) {
	case map[string]any:
		return value, d.normaliseObject(value, schema)
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			return value, false
		}
		changed := false
		for i, item := range value {
			fresh, altered := d.normalise(item, items)
			value[i], changed = fresh, changed || altered
		}
		return value, changed
	case json.Number:
		if schema["type"] != "integer" {
			return value, false
		}
		whole, ok := wholeNumber(value)
		return whole, ok && whole != value
	default:
		return value, false
	}
}

func (d *Document) normaliseObject(object, schema map[string]any) (changed bool) {
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		field, present := object[name]
		if !present {
			continue
		}
		if field == nil {
			delete(object, name)
			changed = true
			continue
		}
		fresh, altered := d.normalise(field, property.(map[string]any))
		object[name], changed = fresh, changed || altered
	}
	return changed
}

// resolve follows references, and in a union takes the form the value has.
func (d *Document) resolve(value any, schema map[string]any) map[string]any {
	if name, ok := schema["$ref"].(string); ok {
		target, _ := d.schemas[strings.TrimPrefix(name, "#/components/schemas/")].(map[string]any)
		return d.resolve(value, target)
	}
	object, isObject := value.(map[string]any)
	for _, form := range anySlice(schema["oneOf"]) {
		form := form.(map[string]any)
		if !isObject || form["type"] != "object" {
			continue
		}
		properties, _ := form["properties"].(map[string]any)
		tag, _ := properties["type"].(map[string]any)
		if tag == nil || tag["const"] == object["type"] {
			return form
		}
	}
	return schema
}

// wholeNumber gives 10.0 and 1e1 as 10. A number with a fraction, or one too
// large to be an index or a duration, stays what it is for the validator to refuse.
func wholeNumber(n json.Number) (json.Number, bool) {
	if !strings.ContainsAny(string(n), ".eE") {
		return n, true
	}
	f, err := n.Float64()
	if err != nil || f != float64(int64(f)) {
		return n, false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

// infinite finds numbers beyond what a float can hold: they are no numbers to us.
func infinite(value any, path []any) []trawl.Issue {
	var issues []trawl.Issue
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(value) {
			issues = append(issues, infinite(value[name], append(slices.Clone(path), name))...)
		}
	case []any:
		for i, item := range value {
			issues = append(issues, infinite(item, append(slices.Clone(path), i))...)
		}
	case json.Number:
		if _, err := value.Float64(); err != nil {
			issues = append(issues, trawl.Issue{Code: trawl.IssueType, Path: path, Expected: "number", Message: "Invalid input: expected number, received Infinity"})
		}
	}
	return issues
}

// pathIn turns the validator's location into keys and indices.
func pathIn(instance any, location []string) []any {
	path := make([]any, 0, len(location))
	for _, step := range location {
		switch value := instance.(type) {
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(value) {
				return append(path, step)
			}
			path, instance = append(path, i), value[i]
		case map[string]any:
			path, instance = append(path, step), value[step]
		default:
			path = append(path, step)
		}
	}
	return path
}

// comparePaths puts issues into the order of the document: outer before inner, by name or index.
func comparePaths(a, b []any) int {
	for i := range min(len(a), len(b)) {
		x, xIsIndex := a[i].(int)
		y, yIsIndex := b[i].(int)
		if xIsIndex && yIsIndex {
			if x != y {
				return cmp.Compare(x, y)
			}
			continue
		}
		if order := strings.Compare(fmt.Sprint(a[i]), fmt.Sprint(b[i])); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Query turns the parameters of a query into the value their schema describes.
// A parameter that is no number where one is wanted stays text, for the validator to refuse.
func (v *Validator) Query(values map[string][]string) (map[string]any, []trawl.Issue) {
	properties, _ := v.doc.resolve(nil, v.schema)["properties"].(map[string]any)
	object := map[string]any{}
	var issues []trawl.Issue
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			issues = append(issues, trawl.CustomIssue("Parameter may be given only once", name))
			continue
		}
		property, _ := properties[name].(map[string]any)
		object[name] = typed(values[name][0], v.doc.resolve(nil, property))
	}
	return object, append(issues, v.Check(object)...)
}

// typed reads a query parameter as what its schema wants.
func typed(text string, schema map[string]any) any {
	switch schema["type"] {
	case "integer", "number":
		if json.Valid([]byte(text)) && strings.Trim(text, "-0123456789.eE+") == "" {
			return json.Number(text)
		}
	case "boolean":
		if b, err := strconv.ParseBool(text); err == nil && (text == "true" || text == "false") {
			return b
		}
	}
	return text
}
