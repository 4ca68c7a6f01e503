package parse

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

// claim is what a reference says: which slot it opens, whose it is, until when.
type claim struct {
	Slot    string `json:"s"`
	Team    string `json:"t"`
	Expires int64  `json:"e"` // Unix milliseconds
}

// signer writes and reads references: base64url(JSON).base64url(HMAC-SHA256).
type signer struct{ secret []byte }

func (s signer) mac(text string) []byte {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(text)) // never fails
	return h.Sum(nil)
}

// sign writes a reference.
func (s signer) sign(c claim) (string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(data)
	return text + "." + base64.RawURLEncoding.EncodeToString(s.mac(text)), nil
}

// open reads a reference and believes it only if it is ours and still good.
func (s signer) open(ref string, now time.Time) (claim, error) {
	text, mac, ok := strings.Cut(ref, ".")
	signature, err := base64.RawURLEncoding.DecodeString(mac)
	if !ok || err != nil || text == "" || len(signature) == 0 {
		return claim{}, badRef("Invalid uploadRef format.")
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return claim{}, badRef("Invalid uploadRef format.")
	}
	if !hmac.Equal(signature, s.mac(text)) {
		return claim{}, badRef("Invalid uploadRef signature.")
	}
	var c claim
	if err := json.Unmarshal(data, &c); err != nil {
		return claim{}, badRef("Invalid uploadRef format.")
	}
	if now.UnixMilli() >= c.Expires {
		return claim{}, badRef("uploadRef has expired.")
	}
	return c, nil
}

func badRef(message string) error {
	return trawl.Errorf(trawl.Invalid, "%s", message).WithCode("BAD_REQUEST")
}
