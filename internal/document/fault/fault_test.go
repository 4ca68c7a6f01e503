package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/fault"
)

func TestEveryErrorOfAReaderIsARefusal(t *testing.T) {
	for _, tc := range []struct {
		name    string
		err     error
		message string
		limit   string
	}{
		{"a refusal stays what it is", fault.Protected("PDF"), "The PDF is password-protected.", ""},
		{"a bound that was met is named", fmt.Errorf("read part: %w", fault.Exceeded("nesting")), "The letter exceeds the limit on nesting.", "nesting"},
		{"anything else is damage", errors.New("odd"), "The letter is damaged or incomplete and could not be read.", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var e *trawl.Error
			if !errors.As(fault.As("letter", tc.err), &e) || e.Message != tc.message || e.Code != fault.Code || e.Details != (fault.Details{Limit: tc.limit}) {
				t.Errorf("%+v", e)
			}
		})
	}
	if err := fault.As("letter", nil); err != nil {
		t.Error(err)
	}
}

func TestAPanicIsDamage(t *testing.T) {
	read := func() (err error) {
		defer fault.Recover("letter", &err)
		panic("odd")
	}
	var e *trawl.Error
	if !errors.As(read(), &e) || e.Code != fault.Code || e.Cause == nil {
		t.Errorf("%+v", e)
	}
}
