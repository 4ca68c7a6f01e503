package parse

import (
	"errors"

	"github.com/trawlhq/trawl"
)

// failure names what went wrong with a file in the words of this operation: a
// scrape of the same file has codes of its own.
func (s *Service) failure(err error) error {
	var e *trawl.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case "SCRAPE_UNSUPPORTED_FILE_ERROR":
		return s.unsupported(e.Message)
	case "SCRAPE_PDF_OCR_REQUIRED":
		return trawl.Errorf(e.Kind, "%s", e.Message).WithCode("PDF_OCR_REQUIRED").WithDetails(e.Details).Because(e.Cause)
	case "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR":
		return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT").WithDetails(map[string]any{"reason": e.Message})
	}
	return err
}
