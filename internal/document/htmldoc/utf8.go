package htmldoc

// UTF8 gives the text of a page as it was received, whatever its charset was.
func UTF8(body []byte, contentType string) string { return string(decode(body, contentType)) }
