package apart

import (
	"encoding/json"
	"errors"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/fault"
)

// failure is the refusal of a file on its way between processes. To the parent it
// is an error that says nothing against the child.
type failure struct {
	Kind    trawl.Kind
	Message string
	Code    string
	Details []byte
	Cause   string
}

// Error makes a failure an error; what callers read is given by refusal.
func (f *failure) Error() string { return f.Message }

// failureOf packs an error.
func failureOf(err error) *failure {
	switch {
	case errors.Is(err, errLarge):
		err = fault.Limit("file", "size of the document")
	case errors.Is(err, errDeep):
		err = fault.Limit("file", "nesting")
	}
	var own *trawl.Error
	if !errors.As(err, &own) {
		return &failure{Kind: trawl.Internal, Message: "Internal Server Error", Cause: err.Error()}
	}
	f := &failure{Kind: own.Kind, Message: own.Message, Code: own.Code}
	if own.Cause != nil {
		f.Cause = own.Cause.Error()
	}
	if own.Details != nil {
		f.Details, _ = json.Marshal(own.Details) // details are plain data of ours
	}
	return f
}

// refusal unpacks the error.
func (f *failure) refusal() error {
	e := trawl.Errorf(f.Kind, "%s", f.Message).WithCode(f.Code)
	if f.Cause != "" {
		e.Because(errors.New(f.Cause))
	}
	if len(f.Details) > 0 {
		var details any
		if json.Unmarshal(f.Details, &details) == nil {
			e.WithDetails(details)
		}
	}
	return e
}
