package config

import (
	"fmt"
	"reflect"
	"strings"
)

// Setting is one line of the reference.
type Setting struct {
	Flag, Env, Key, Default, Help string
}

// Settings lists every setting of the server, in the order of its fields.
func Settings() []Setting { return settingsOf(reflect.TypeFor[Serve]()) }

func settingsOf(t reflect.Type) []Setting {
	var list []Setting
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			list = append(list, settingsOf(field.Type)...)
			continue
		}
		name := field.Tag.Get("name")
		list = append(list, Setting{
			Flag: "--" + name, Env: field.Tag.Get("env"), Key: Key(name),
			Default: field.Tag.Get("default"), Help: field.Tag.Get("help"),
		})
	}
	return list
}

// Markdown writes the reference, docs/configuration.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Settings\n\nFlags override the environment, the environment overrides `trawl.yaml` in the data directory.\n" +
		"This page is printed from the settings themselves (`internal/config`); `trawl serve --help` says the same.\n\n" +
		"| flag | environment | file key | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range Settings() {
		fallback := s.Default
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | `%s` | %s | %s |\n", s.Flag, s.Env, s.Key, fallback, s.Help)
	}
	return b.String()
}
