package netguard

import (
	"net/netip"
	"testing"
)

func TestPolicyPermitsWhatTheSettingSays(t *testing.T) {
	for _, tc := range []struct {
		name, setting, addr, host string
		permitted                 bool
	}{
		{"public by default", "", "8.8.8.8", "", true},
		{"loopback refused by default", "false", "127.0.0.1", "", false},
		{"true permits loopback", "true", "127.0.0.1", "", true},
		{"true permits unique local", "true", "fd12::1", "", true},
		{"true does not permit metadata", "true", "169.254.169.254", "", false},
		{"true does not permit metadata in disguise", "true", "64:ff9b::a9fe:a9fe", "", false},
		{"true does not permit the public wire server", "true", "168.63.129.16", "", false},
		{"a block permits its addresses", "10.1.0.0/16", "10.1.2.3", "", true},
		{"a block permits them mapped too", "10.1.0.0/16", "::ffff:10.1.2.3", "", true},
		{"a block permits no others", "10.1.0.0/16", "10.2.0.1", "", false},
		{"a block does not permit the metadata inside it", "169.254.0.0/16", "169.254.169.254", "", false},
		{"metadata permitted by its own address", "169.254.169.254", "169.254.169.254", "", true},
		{"true and metadata together", "true, 169.254.169.254", "169.254.169.254", "", true},
		{"one address", "192.168.1.5", "192.168.1.5", "", true},
		{"one address, not its neighbour", "192.168.1.5", "192.168.1.6", "", false},
		{"an IPv6 address in brackets", "[::1]", "::1", "", true},
		{"a name permits where it leads", "intranet", "10.0.0.7", "intranet", true},
		{"a name in another spelling", "Intranet.Corp.", "10.0.0.7", "intranet.corp", true},
		{"a name permits no other name", "intranet", "10.0.0.7", "other", false},
		{"a name does not permit metadata", "intranet", "169.254.169.254", "intranet", false},
		{"a metadata name permits it", "metadata.google.internal", "169.254.169.254", "metadata.google.internal", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := ParsePolicy(tc.setting)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.check(netip.MustParseAddr(tc.addr), tc.host) == nil; got != tc.permitted {
				t.Errorf("under %q, %s (%s) permitted = %v, want %v", tc.setting, tc.addr, tc.host, got, tc.permitted)
			}
		})
	}
}

func TestPolicyRefusesSettingsItCannotRead(t *testing.T) {
	for _, setting := range []string{"10.0.0.0/40", "a b", "host:80", "*.corp", "http://x", "1.2.3.4.5", "yes/no"} {
		if p, err := ParsePolicy(setting); err == nil {
			t.Errorf("ParsePolicy(%q) = %+v, want an error", setting, p)
		}
	}
}

func TestNamesAllowedInURLs(t *testing.T) {
	for _, tc := range []struct {
		setting, host string
		want          bool
	}{
		{"false", "localhost", false},
		{"true", "localhost", true},
		{"true", "app.localhost", true},
		{"true", "intranet", false}, // private networks permitted is not: any word is a host
		{"127.0.0.0/8", "localhost", true},
		{"::1", "LOCALHOST.", true},
		{"10.0.0.0/8", "localhost", false},
		{"localhost", "localhost", true},
		{"intranet", "intranet", true},
		{"false", "127.0.0.1", false},
		{"true", "127.0.0.1", true},
		{"false", "8.8.8.8", true},
		{"true", "", false},
	} {
		p, err := ParsePolicy(tc.setting)
		if err != nil {
			t.Fatal(err)
		}
		if got := New(p, Options{}).AllowsName(tc.host); got != tc.want {
			t.Errorf("under %q AllowsName(%q) = %v, want %v", tc.setting, tc.host, got, tc.want)
		}
	}
}
