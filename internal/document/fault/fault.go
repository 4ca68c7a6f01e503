// Package fault holds the ways a file can be refused, in the words a caller
// reads. All readers of files use it, so a damaged sheet and a damaged letter
// are answered alike.
package fault

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/trawlhq/trawl"
)

// Code is the machine code of every refusal made here.
const Code = "DOCUMENT_PARSE_FAILED"

// Details is the "details" of a refusal.
type Details struct {
	Retryable bool   `json:"retryable"`       // always false: the same bytes fail again
	Limit     string `json:"limit,omitempty"` // the limit that was met, if one was
}

// Damaged says that the file cannot be understood as what it claims to be.
func Damaged(what string, cause error) error {
	return refuse(fmt.Sprintf("The %s is damaged or incomplete and could not be read.", what), "").Because(cause)
}

// Protected says that the file needs a password.
func Protected(what string) error {
	return refuse(fmt.Sprintf("The %s is password-protected.", what), "")
}

// Limit says that the file asks for more than is given to one document. Name
// says which bound it met, such as "decompressed size".
func Limit(what, name string) error {
	return refuse(fmt.Sprintf("The %s exceeds the limit on %s.", what, name), name)
}

func refuse(message, limit string) *trawl.Error {
	return trawl.Errorf(trawl.SiteFailed, "%s", message).WithCode(Code).WithDetails(Details{Limit: limit})
}

// Exceeded is the error of a part that does not know what sort of file it is at
// work on: the name of the bound that was met. As makes a Limit of it.
type Exceeded string

// Error says which bound it is.
func (e Exceeded) Error() string { return "over the limit on " + string(e) }

// As makes sure that err is a refusal: domain errors pass as they are, a bound that
// was met becomes Limit, any other error Damaged.
func As(what string, err error) error {
	var own *trawl.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	var met Exceeded
	if errors.As(err, &met) {
		return Limit(what, string(met))
	}
	return Damaged(what, err)
}

// Recover turns a panic of a reader into Damaged. It is deferred by every
// reader: a format nobody controls must not be able to end the process.
func Recover(what string, err *error) {
	if v := recover(); v != nil {
		*err = Damaged(what, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
	}
}
