package parse

import (
	"mime"
	"path"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// family is a group of file kinds that are taken together.
type family struct {
	extensions []string
	types      []string // media types; a trailing * stands for the rest
	pictures   bool     // only where pictures can be read
}

// families are looked through in this order; the extension is asked first. What
// the bytes really are is found out later: this only decides what is let in.
var families = []family{
	{extensions: []string{".html", ".htm", ".xhtml"}, types: []string{"text/html", "application/xhtml+xml"}},
	{extensions: []string{".pdf"}, types: []string{"application/pdf"}},
	{
		extensions: []string{
			".docx", ".doc", ".docm", ".odt", ".ods", ".odp", ".rtf", ".xlsx", ".xls", ".xlsm", ".xlsb", ".pptx", ".ppt", ".pptm", ".epub", ".csv",
		},
		types: []string{
			"application/vnd.openxmlformats-officedocument.*", "application/vnd.oasis.opendocument.*", "application/msword",
			"application/vnd.ms-word.*", "application/vnd.ms-excel*", "application/vnd.ms-powerpoint*", "application/rtf", "text/rtf",
			"application/epub+zip", "text/csv", "application/csv",
		},
	},
	{
		extensions: []string{".png", ".jpg", ".jpeg", ".jp2", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".avif"},
		types: []string{
			"image/png", "image/jpeg", "image/jp2", "image/tiff", "image/gif", "image/bmp", "image/x-ms-bmp", "image/webp", "image/avif",
		},
		pictures: true,
	},
	{
		extensions: []string{".txt", ".md", ".json", ".xml", ".eml"},
		types:      []string{"text/plain", "text/markdown", "application/json", "application/xml", "text/xml", "message/rfc822"},
	},
}

// takes tells whether a file is let in, by the ending of its name or, where
// that says nothing, by its declared type.
func (s *Service) takes(name, contentType string) bool {
	extension := strings.ToLower(path.Ext(name))
	if slices.ContainsFunc(s.families(), func(f family) bool { return slices.Contains(f.extensions, extension) }) {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.families(), func(f family) bool {
		return slices.ContainsFunc(f.types, func(t string) bool { return matches(t, mediaType) })
	})
}

func matches(pattern, mediaType string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(mediaType, prefix)
	}
	return pattern == mediaType
}

// families are the groups that this server can read.
func (s *Service) families() []family {
	if s.Pictures {
		return families
	}
	return slices.DeleteFunc(slices.Clone(families), func(f family) bool { return f.pictures })
}

// unsupported is the answer to a file of another kind; reason may add why.
func (s *Service) unsupported(reason string) error {
	var extensions []string
	for _, f := range s.families() {
		extensions = append(extensions, f.extensions...)
	}
	err := trawl.Errorf(trawl.Invalid, "Unsupported upload type. Supported file extensions: %s", strings.Join(extensions, ", ")).
		WithCode("UNSUPPORTED_FILE_TYPE")
	if reason != "" {
		err.WithDetails(map[string]any{"reason": reason})
	}
	return err
}
