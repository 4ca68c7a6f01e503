package api

import (
	"errors"
	"io"
	"io/fs"
	"mime/multipart"
	"net"
	"net/http"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/parse"
)

// form is a file and its options, sent together.
type form struct {
	file        *parse.Spool
	name        string
	contentType string
	options     []byte // nil: none were sent
}

func (f *form) close() {
	if f.file != nil {
		_ = f.file.Close() // it has no name: nothing is left
	}
}

func invalidForm(cause error) error {
	return trawl.Errorf(trawl.Invalid, "Invalid multipart form-data request.").WithCode("BAD_REQUEST").Because(cause)
}

// readForm reads the parts as they come, in any order.
func (s *Server) readForm(body io.Reader, boundary string) (_ *form, err error) {
	if boundary == "" {
		return nil, invalidForm(errors.New("no boundary"))
	}
	f := &form{}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	parts := multipart.NewReader(body, boundary)
	for {
		part, err := parts.NextPart()
		if err == io.EOF { // itself: wrapped, it is a form that breaks off
			break
		}
		if err == nil {
			err = s.takePart(f, part)
		}
		if err != nil {
			return nil, formError(err)
		}
	}
	if f.file == nil {
		return nil, badUpload(missingFile)
	}
	return f, nil
}

// takePart takes the file and the options; other text is left out.
func (s *Server) takePart(f *form, part *multipart.Part) error {
	switch {
	case part.FormName() == "options":
		return s.takeOptions(f, part)
	case part.FileName() == "":
		return nil
	case f.file != nil || part.FormName() != "file":
		return invalidForm(errors.New("a second file"))
	}
	spool, err := parse.Receive(part, s.SpoolDir)
	if err != nil {
		return err
	}
	f.file, f.name, f.contentType = spool, part.FileName(), part.Header.Get("Content-Type")
	return nil
}

func (s *Server) takeOptions(f *form, part *multipart.Part) (err error) {
	if part.FileName() != "" {
		return badUpload("The 'options' field must be a JSON string.")
	}
	if f.options != nil {
		return invalidForm(errors.New("options twice"))
	}
	f.options, err = io.ReadAll(io.LimitReader(part, s.BodyLimit+1))
	if err == nil && int64(len(f.options)) > s.BodyLimit {
		return tooLarge(nil)
	}
	return err
}

// formError says why a form did not arrive whole. What is no fault of ours or of
// the line is one of the form.
func formError(err error) error {
	err = receiveError(err)
	var own *trawl.Error
	var disk *fs.PathError
	if errors.As(err, &own) || errors.As(err, &disk) {
		return err
	}
	return invalidForm(err)
}

// receiveError names what can happen to any body that is large: there is too
// much of it, or it comes too slowly.
func receiveError(err error) error {
	var over *http.MaxBytesError
	var network net.Error
	switch {
	case errors.As(err, &over):
		return parse.TooLarge()
	case errors.As(err, &network) && network.Timeout():
		return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT").
			WithDetails(map[string]any{"reason": "The upload took too long."}).Because(err)
	}
	return err
}
