package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/trawlhq/trawl"
)

// Validator checks values against one schema of the document.
type Validator struct {
	compiled *jsonschema.Schema
	doc      *Document
	schema   map[string]any
	passed   passed
}

// passed remembers short bodies that were found right, with the form they were
// given: most callers send the same few bodies again and again.
type passed struct {
	mu     sync.RWMutex
	bodies map[string][]byte
}

// What is worth remembering.
const (
	passedBody = 512  // bytes of a body
	passedMost = 1024 // bodies; then all are forgotten
)

func (p *passed) get(body []byte) ([]byte, bool) {
	if len(body) > passedBody {
		return nil, false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	form, ok := p.bodies[string(body)]
	return form, ok
}

func (p *passed) put(body, form []byte) {
	if len(body) > passedBody {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bodies == nil || len(p.bodies) >= passedMost {
		p.bodies = map[string][]byte{}
	}
	p.bodies[string(body)] = form
}

// ErrNotJSON is what Decode gives for a body that is no JSON at all.
var ErrNotJSON = errors.New("not JSON")

// Decode checks a JSON body and gives it back in the form Go's decoder takes:
// null instead of an optional value is dropped, 10.0 for an integer is 10.
func (v *Validator) Decode(body []byte) ([]byte, []trawl.Issue, error) {
	if form, ok := v.passed.get(body); ok {
		return form, nil, nil
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return nil, nil, errors.Join(ErrNotJSON, err)
	}
	if issues := infinite(instance, nil); len(issues) > 0 {
		return nil, issues, nil
	}
	instance, changed := v.doc.normalise(instance, v.schema)
	if issues := v.Check(instance); len(issues) > 0 {
		return nil, issues, nil
	}
	form := body
	if changed {
		if form, err = json.Marshal(instance); err != nil {
			return nil, nil, err
		}
	}
	v.passed.put(body, form)
	return form, nil, nil
}

// Check gives everything that is wrong with a decoded value.
func (v *Validator) Check(instance any) []trawl.Issue {
	err := v.compiled.Validate(instance)
	if err == nil {
		return nil
	}
	var failure *jsonschema.ValidationError
	if !errors.As(err, &failure) {
		return []trawl.Issue{trawl.CustomIssue(err.Error())}
	}
	c := collector{instance: instance}
	c.collect(failure)
	slices.SortStableFunc(c.issues, func(a, b trawl.Issue) int { return comparePaths(a.Path, b.Path) })
	return c.issues
}

// collector walks the tree of a failed validation and keeps its leaves.
type collector struct {
	instance any
	issues   []trawl.Issue
}

func (c *collector) collect(e *jsonschema.ValidationError) {
	if _, union := e.ErrorKind.(*kind.OneOf); union {
		c.collectUnion(e)
		return
	}
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			c.collect(cause)
		}
		return
	}
	c.issues = append(c.issues, issuesOf(e.ErrorKind, pathIn(c.instance, e.InstanceLocation))...)
}

// collectUnion reports only the form the caller meant: the one whose JSON type
// and whose "type" fit. Where none does, it says what could stand there.
func (c *collector) collectUnion(e *jsonschema.ValidationError) {
	var meant, tags []*jsonschema.ValidationError
	for _, form := range e.Causes {
		switch mismatch := mismatchOf(form, len(e.InstanceLocation)); {
		case mismatch == nil:
			meant = append(meant, form)
		case isTag(mismatch):
			tags = append(tags, mismatch)
		}
	}
	if len(meant) > 0 {
		c.collect(meant[0])
		return
	}
	path := pathIn(c.instance, e.InstanceLocation)
	if len(tags) == 0 {
		c.issues = append(c.issues, trawl.Issue{Code: trawl.IssueUnion, Path: path, Message: "Invalid input"})
		return
	}
	var values []any
	for _, tag := range tags {
		values = append(values, tag.ErrorKind.(*kind.Const).Want)
	}
	c.issues = append(c.issues, valueIssue(append(path, "type"), values))
}

// mismatchOf finds why a form of a union cannot be the one that was meant:
// another JSON type, or another value of "type". Nil: it was meant.
func mismatchOf(form *jsonschema.ValidationError, depth int) *jsonschema.ValidationError {
	if _, wrongType := form.ErrorKind.(*kind.Type); wrongType && len(form.InstanceLocation) == depth {
		return form
	}
	if isTag(form) && len(form.InstanceLocation) == depth+1 {
		return form
	}
	for _, cause := range form.Causes {
		if len(cause.InstanceLocation) <= depth+1 {
			if found := mismatchOf(cause, depth); found != nil {
				return found
			}
		}
	}
	return nil
}

func isTag(e *jsonschema.ValidationError) bool {
	_, constant := e.ErrorKind.(*kind.Const)
	return constant && len(e.InstanceLocation) > 0 && e.InstanceLocation[len(e.InstanceLocation)-1] == "type"
}

// issuesOf translates one failure of the validator into the words of the contract.
func issuesOf(failure jsonschema.ErrorKind, path []any) []trawl.Issue {
	switch k := failure.(type) {
	case *kind.AdditionalProperties:
		return []trawl.Issue{unrecognized(path, k.Properties)}
	case *kind.Required:
		issues := make([]trawl.Issue, 0, len(k.Missing))
		for _, name := range k.Missing {
			issues = append(issues, trawl.Issue{Code: trawl.IssueType, Path: append(slices.Clone(path), name), Message: "Required"})
		}
		return issues
	case *kind.Type:
		want := strings.Join(k.Want, " or ")
		return []trawl.Issue{{Code: trawl.IssueType, Path: path, Expected: want, Message: "Invalid input: expected " + want + ", received " + k.Got}}
	case *kind.Enum:
		return []trawl.Issue{valueIssue(path, k.Want)}
	case *kind.Const:
		return []trawl.Issue{valueIssue(path, []any{k.Want})}
	case *kind.Pattern:
		return []trawl.Issue{{Code: trawl.IssueFormat, Path: path, Format: "regex", Message: "Invalid string: must match pattern " + k.Want}}
	case *kind.Format:
		return []trawl.Issue{{Code: trawl.IssueFormat, Path: path, Format: k.Want, Message: "Invalid " + k.Want}}
	default:
		if issue, ok := boundIssue(failure, path); ok {
			return []trawl.Issue{issue}
		}
		return []trawl.Issue{trawl.CustomIssue("Invalid input", path...)}
	}
}

// boundIssue translates what is too small or too big.
func boundIssue(failure jsonschema.ErrorKind, path []any) (trawl.Issue, bool) {
	switch k := failure.(type) {
	case *kind.MinLength:
		return tooSmall(path, "string", float64(k.Want), true), true
	case *kind.MaxLength:
		return tooBig(path, "string", float64(k.Want), true), true
	case *kind.MinItems:
		return tooSmall(path, "array", float64(k.Want), true), true
	case *kind.MaxItems:
		return tooBig(path, "array", float64(k.Want), true), true
	case *kind.Minimum:
		return tooSmall(path, "number", float(k.Want), true), true
	case *kind.Maximum:
		return tooBig(path, "number", float(k.Want), true), true
	case *kind.ExclusiveMinimum:
		return tooSmall(path, "number", float(k.Want), false), true
	case *kind.ExclusiveMaximum:
		return tooBig(path, "number", float(k.Want), false), true
	default:
		return trawl.Issue{}, false
	}
}

func unrecognized(path []any, keys []string) trawl.Issue {
	keys = slices.Sorted(slices.Values(keys))
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = strconv.Quote(key)
	}
	word := "key"
	if len(keys) > 1 {
		word = "keys"
	}
	return trawl.Issue{
		Code: trawl.IssueUnrecognized, Path: path, Keys: keys,
		Message: "Unrecognized " + word + ": " + strings.Join(quoted, ", "),
	}
}

func valueIssue(path, values []any) trawl.Issue {
	return trawl.Issue{Code: trawl.IssueValue, Path: path, Values: values, Message: "Invalid option"}
}

func tooSmall(path []any, origin string, bound float64, inclusive bool) trawl.Issue {
	return trawl.Issue{
		Code: trawl.IssueTooSmall, Path: path, Origin: origin, Minimum: &bound, Inclusive: &inclusive,
		Message: "Too small: expected " + origin + " to be " + sign(">", inclusive) + strconv.FormatFloat(bound, 'f', -1, 64),
	}
}

func tooBig(path []any, origin string, bound float64, inclusive bool) trawl.Issue {
	return trawl.Issue{
		Code: trawl.IssueTooBig, Path: path, Origin: origin, Maximum: &bound, Inclusive: &inclusive,
		Message: "Too big: expected " + origin + " to be " + sign("<", inclusive) + strconv.FormatFloat(bound, 'f', -1, 64),
	}
}

func sign(s string, inclusive bool) string {
	if inclusive {
		return s + "="
	}
	return s
}

func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
