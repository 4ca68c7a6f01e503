package codepage

import "testing"

func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		page      int
		raw, want string
	}{
		{1252, "\x80 \xfc", "€ ü"},
		{1251, "\xcf\xf0\xe8", "При"},
		{932, "\x8a\x43", "海"},
		{936, "\xba\xa3", "海"},
		{10000, "\x9f", "ü"},
		{99999, "\xfc", "ü"},
	} {
		if got := Decode(tc.page, []byte(tc.raw)); got != tc.want {
			t.Errorf("page %d: %q, want %q", tc.page, got, tc.want)
		}
	}
	if got := OfCharset(204); got != 1251 {
		t.Errorf("charset 204 = %d, want 1251", got)
	}
}
