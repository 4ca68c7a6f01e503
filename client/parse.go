package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"

	"github.com/trawlhq/trawl"
)

var _ trawl.FileParser = (*Client)(nil)

// Parse turns a file into a document. The file is read into memory: it may have
// to be sent again.
func (c *Client) Parse(ctx context.Context, file trawl.File, options trawl.ParseOptions) (*trawl.Document, error) {
	body, contentType, err := form(file, options)
	if err != nil {
		return nil, fmt.Errorf("encode upload of %s: %w", file.Name, err)
	}
	return c.document(ctx, Call{Method: http.MethodPost, Path: "/v2/parse", Body: encoded{contentType, body}})
}

// form writes file and options as the parts of a form.
func form(file trawl.File, options trawl.ParseOptions) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	text, err := json.Marshal(options)
	if err != nil {
		return nil, "", err
	}
	if err := w.WriteField("options", string(text)); err != nil {
		return nil, "", err
	}
	header := textproto.MIMEHeader{"Content-Disposition": {multipart.FileContentDisposition("file", file.Name)}}
	if file.ContentType != "" {
		header.Set("Content-Type", file.ContentType)
	}
	part, err := w.CreatePart(header)
	if err != nil {
		return nil, "", err
	}
	if _, err := io.Copy(part, file.Content); err != nil {
		return nil, "", err
	}
	err = w.Close() // writes the end
	return b.Bytes(), w.FormDataContentType(), err
}
