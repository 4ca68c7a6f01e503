package xmlpull

import "bytes"

// resolver turns the names a document writes into the names callers know. The
// answers are cached, because a sheet says "c" a million times.
type resolver struct {
	wanted   Names
	bindings []binding
	elements map[string]string
	attrs    map[string]string
}

type binding struct {
	depth  int // of the element that declared it
	prefix string
	uri    string
}

func newResolver(wanted Names) *resolver {
	return &resolver{wanted: wanted, elements: map[string]string{}, attrs: map[string]string{}}
}

func (r *resolver) declare(depth int, prefix, uri string) {
	r.bindings = append(r.bindings, binding{depth, prefix, uri})
	r.forget()
}

// leave ends the declarations of the element at depth.
func (r *resolver) leave(depth int) {
	n := len(r.bindings)
	for n > 0 && r.bindings[n-1].depth >= depth {
		n--
	}
	if n < len(r.bindings) {
		r.bindings = r.bindings[:n]
		r.forget()
	}
}

func (r *resolver) forget() {
	clear(r.elements)
	clear(r.attrs)
}

func (r *resolver) element(raw []byte) string {
	if name, ok := r.elements[string(raw)]; ok {
		return name
	}
	name := r.resolve(raw, true)
	r.elements[string(raw)] = name
	return name
}

func (r *resolver) attribute(raw []byte) string {
	if name, ok := r.attrs[string(raw)]; ok {
		return name
	}
	name := r.resolve(raw, false)
	r.attrs[string(raw)] = name
	return name
}

// resolve renames one name. The default namespace holds for elements only. A
// prefix nobody declared stays: broken files are still readable by it.
func (r *resolver) resolve(raw []byte, useDefault bool) string {
	prefix, local, found := bytes.Cut(raw, []byte(":"))
	if !found {
		prefix, local = nil, raw
		if !useDefault {
			return string(local)
		}
	}
	for i := len(r.bindings) - 1; i >= 0; i-- {
		if r.bindings[i].prefix != string(prefix) {
			continue
		}
		short, ok := r.wanted[r.bindings[i].uri]
		switch {
		case !ok:
			return string(raw)
		case short == "":
			return string(local)
		}
		return short + ":" + string(local)
	}
	return string(raw)
}
