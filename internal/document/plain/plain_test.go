package plain

import "testing"

func TestDecode(t *testing.T) {
	for _, tc := range []struct{ name, body, contentType, want string }{
		{"UTF-8", "Grüße", "", "Grüße"},
		{"UTF-8 with a mark", "\xef\xbb\xbfhi", "", "hi"},
		{"UTF-16 with a mark", "\xfe\xff\x00h\x00i", "", "hi"},
		{"UTF-16 without one", "h\x00i\x00 \x00a\x00", "", "hi a"},
		{"a declared charset", "\xcf\xf0\xe8", "text/plain; charset=windows-1251", "При"},
		{"a declared charset that is not true", "Grüße", "text/plain; charset=latin1", "Grüße"},
		{"line ends", "a\r\nb\rc", "", "a\nb\nc"},
		{"nothing", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Decode([]byte(tc.body), tc.contentType); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea"), "text/plain; charset=utf-16")
	f.Fuzz(func(_ *testing.T, body []byte, contentType string) { Decode(body, contentType) })
}
