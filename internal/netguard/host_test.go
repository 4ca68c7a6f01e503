package netguard

import (
	"net/netip"
	"testing"
)

func TestHostIsReadAsABrowserReadsIt(t *testing.T) {
	for _, tc := range []struct{ name, host, want string }{
		{"plain address", "127.0.0.1", "127.0.0.1"},
		{"one decimal number", "2130706433", "127.0.0.1"},
		{"one hexadecimal number", "0x7f000001", "127.0.0.1"},
		{"one hexadecimal number in capitals", "0X7F000001", "127.0.0.1"},
		{"one octal number", "017700000001", "127.0.0.1"},
		{"two parts", "127.1", "127.0.0.1"},
		{"three parts", "127.0.1", "127.0.0.1"},
		{"mixed bases", "0x7f.0.01.1", "127.0.1.1"},
		{"octal parts", "0177.0.0.01", "127.0.0.1"},
		{"padded octal", "0300.0250.0.1", "192.168.0.1"},
		{"trailing dot", "127.0.0.1.", "127.0.0.1"},
		{"full-width digits", "１２７.０.０.１", "127.0.0.1"},
		{"ideographic dots", "127。0。0。1", "127.0.0.1"},
		{"circled digits", "①②⑦.⓪.⓪.①", "127.0.0.1"},
		{"zero", "0", "0.0.0.0"},
		{"bare hexadecimal prefix", "0x", "0.0.0.0"},
		{"IPv6 with a zone", "fe80::1%lo", "fe80::1%lo"},
		{"mapped IPv6", "::ffff:7f00:1", "::ffff:127.0.0.1"},
		{"a name", "Example.COM.", "example.com"},
		{"a name in Unicode", "bücher.example", "xn--bcher-kva.example"},
		{"a name with an underscore", "my_host.example", "my_host.example"},
		{"number too large", "4294967296", ""},
		{"part too large", "127.0.0.256", ""},
		{"five parts", "1.2.3.4.5", ""},
		{"bad octal", "08.8.8.8", ""},
		{"name that ends in a number", "example.127", ""},
		{"empty part", "127..1", ""},
		{"empty label in a name", "a..test", ""},
		{"two trailing dots", "a.test..", ""},
		{"nothing", "", ""},
		{"port left in", "a.test:80", ""},
		{"escaped dot", "127%2e0.0.1", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, err := parseHost(tc.host)
			got := h.name
			if h.addr.IsValid() {
				got = h.addr.String()
			}
			if (err != nil) != (tc.want == "") || got != tc.want {
				t.Errorf("parseHost(%q) = %q, %v; want %q", tc.host, got, err, tc.want)
			}
		})
	}
}

func FuzzParseHost(f *testing.F) {
	for _, seed := range []string{"127.0.0.1", "0x7f.1", "a.test", "１.１", "::1", "fe80::1%a", "1.2.3.4.5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		h, err := parseHost(host)
		if err != nil {
			return
		}
		if h.addr.IsValid() == (h.name != "") {
			t.Fatalf("parseHost(%q) = %+v: neither address nor name, or both", host, h)
		}
		if _, err := netip.ParseAddr(h.name); err == nil {
			t.Fatalf("parseHost(%q) let the address %q pass as a name", host, h.name)
		}
		again, err := parseHost(h.name)
		if h.name != "" && (err != nil || again != h) {
			t.Fatalf("parseHost(%q) = %q, read again %+v, %v", host, h.name, again, err)
		}
	})
}
