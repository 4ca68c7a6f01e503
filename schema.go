package trawl

import "slices"

// The types below have several forms on the wire, so their schemas are written
// by hand; all others are derived from their fields. Keys of an object that has
// no "additionalProperties" are dropped when unknown, elsewhere they are refused.

type schema = map[string]any

// JSONSchema describes the bare name and the object of each format.
func (Format) JSONSchema() map[string]any {
	bare := slices.DeleteFunc(slices.Clone(FormatNames), func(name string) bool {
		return name == FormatAttributes || name == FormatQuestion || name == FormatHighlights || name == FormatQuery
	})
	prompt := schema{"type": "string", "maxLength": 10000}
	text := schema{"type": "string", "minLength": 1, "maxLength": 10000}
	anySchema := schema{"type": "object", "description": "A JSON Schema."}
	options := map[string]schema{
		FormatJSON:              {"prompt": prompt, "schema": anySchema, "checkPromptInjection": schema{"type": "boolean"}},
		FormatDeterministicJSON: {"prompt": prompt, "schema": anySchema},
		FormatChangeTracking: {
			"modes":  schema{"type": "array", "items": schema{"type": "string", "enum": []any{"git-diff", "json"}}, "default": []any{}},
			"schema": anySchema, "prompt": prompt, "tag": schema{"type": "string"},
		},
		FormatAttributes: {"selectors": schema{"type": "array", "items": schema{
			"type": "object", "additionalProperties": false, "required": []any{"selector", "attribute"},
			"properties": schema{"selector": schema{"type": "string"}, "attribute": schema{"type": "string"}},
		}}},
		FormatScreenshot: screenshotOptions(),
		FormatQuestion:   {"question": text},
		FormatHighlights: {"query": text},
		FormatQuery:      {"prompt": prompt, "mode": schema{"type": "string", "enum": []any{"freeform", "directQuote"}, "default": "freeform"}},
	}
	required := map[string]string{
		FormatAttributes: "selectors", FormatQuestion: "question", FormatHighlights: "query", FormatQuery: "prompt",
	}
	forms := []any{schema{"type": "string", "enum": anys(bare)}}
	for _, name := range FormatNames {
		form := tagged(name, options[name])
		if name == FormatScreenshot {
			delete(form, "additionalProperties")
		}
		if field, ok := required[name]; ok {
			form["required"] = []any{"type", field}
		}
		forms = append(forms, form)
	}
	return schema{"oneOf": forms}
}

// JSONSchema describes the bare name and the object of each parser.
func (Parser) JSONSchema() map[string]any {
	boolean := schema{"type": "boolean", "default": false}
	pdf := tagged("pdf", schema{
		"mode":     schema{"type": "string", "enum": []any{"fast", "auto", "ocr"}, "default": "auto"},
		"maxPages": schema{"type": "integer", "minimum": 1, "maximum": 10000},
		"pages":    boolean, "pageMarkdown": boolean, "blocks": boolean, "pageMarkers": boolean,
	})
	return schema{"oneOf": []any{schema{"type": "string", "enum": []any{"pdf", "image"}}, pdf, tagged("image", nil)}}
}

// JSONSchema describes each kind of action.
func (Action) JSONSchema() map[string]any {
	text := schema{"type": "string"}
	papers := []any{"A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"}
	kinds := []struct {
		name     string
		fields   schema
		required []any
	}{
		{"wait", schema{"milliseconds": schema{"type": "integer", "minimum": 1}, "selector": text}, nil},
		{"click", schema{"selector": text, "all": schema{"type": "boolean", "default": false}}, []any{"selector"}},
		{"write", schema{"text": text}, []any{"text"}},
		{"press", schema{"key": text}, []any{"key"}},
		{"scroll", schema{"direction": schema{"type": "string", "enum": []any{"up", "down"}, "default": "down"}, "selector": text}, nil},
		{"screenshot", screenshotOptions(), nil},
		{"scrape", nil, nil},
		{"executeJavascript", schema{"script": text}, []any{"script"}},
		{"pdf", schema{
			"format":    schema{"type": "string", "enum": papers, "default": "Letter"},
			"landscape": schema{"type": "boolean", "default": false},
			"scale":     schema{"type": "number", "minimum": 0.1, "maximum": 2, "default": 1},
		}, nil},
	}
	forms := make([]any, 0, len(kinds))
	for _, kind := range kinds {
		form := tagged(kind.name, kind.fields)
		delete(form, "additionalProperties")
		form["required"] = append([]any{"type"}, kind.required...)
		forms = append(forms, form)
	}
	return schema{"oneOf": forms}
}

// JSONSchema describes the switch and the object.
func (Redaction) JSONSchema() map[string]any {
	return schema{"oneOf": []any{schema{"type": "boolean"}, schema{
		"type": "object", "additionalProperties": false,
		"properties": schema{
			"mode":         schema{"type": "string", "enum": []any{"accurate", "aggressive", "fast"}, "default": "accurate"},
			"entities":     schema{"type": "array", "items": schema{"type": "string", "enum": []any{"PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"}}},
			"replaceStyle": schema{"type": "string", "enum": []any{"tag", "mask", "remove"}, "default": "tag"},
		},
	}}}
}

// JSONSchema describes a location; keys we do not know are dropped.
func (Location) JSONSchema() map[string]any {
	return schema{"type": "object", "properties": schema{
		"country":   schema{"type": "string", "description": "ISO 3166-1 alpha-2, or us-generic.", "default": CountryAny},
		"languages": schema{"type": "array", "items": schema{"type": "string"}, "description": "BCP 47 tags, sent as Accept-Language."},
	}}
}

// JSONSchema describes a profile; keys we do not know are dropped.
func (Profile) JSONSchema() map[string]any {
	return schema{"type": "object", "required": []any{"name"}, "properties": schema{
		"name":        schema{"type": "string", "minLength": 1, "maxLength": 128},
		"saveChanges": schema{"type": "boolean", "default": true},
	}}
}

// JSONSchema lists the fixed names; a page's own meta tags stand beside them.
func (Metadata) JSONSchema() map[string]any {
	text, count := schema{"type": "string"}, schema{"type": "integer"}
	return schema{"type": "object", "required": []any{"scrapeId", "sourceURL", "statusCode", "proxyUsed", "creditsUsed"}, "properties": schema{
		"scrapeId": text, "sourceURL": text, "sourceFile": text, "url": text, "title": text, "description": text, "language": text,
		"favicon": text, "statusCode": count, "contentType": text, "error": text,
		"proxyUsed":  schema{"type": "string", "enum": []any{"basic", "stealth"}},
		"cacheState": schema{"type": "string", "enum": []any{"hit", "miss"}},
		"cachedAt":   schema{"type": "string", "format": "date-time"}, "creditsUsed": count,
		"numPages": count, "totalPages": count,
		"concurrencyLimited": schema{"type": "boolean"}, "concurrencyQueueDurationMs": count,
	}}
}

// JSONSchema describes a moment.
func (Timestamp) JSONSchema() map[string]any {
	return schema{"type": "string", "format": "date-time"}
}

func screenshotOptions() schema {
	side := func(most int) schema { return schema{"type": "integer", "minimum": 1, "maximum": most} }
	return schema{
		"fullPage": schema{"type": "boolean", "default": false},
		"quality":  schema{"type": "integer", "minimum": 1, "maximum": 100},
		"viewport": schema{
			"type": "object", "required": []any{"width", "height"},
			"properties": schema{"width": side(7680), "height": side(4320)},
		},
	}
}

// tagged is a strict object that is told from its siblings by the value of "type".
func tagged(name string, fields schema) schema {
	properties := schema{"type": schema{"const": name}}
	for field, s := range fields {
		properties[field] = s
	}
	return schema{"type": "object", "additionalProperties": false, "required": []any{"type"}, "properties": properties}
}

func anys(names []string) []any {
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = name
	}
	return list
}
