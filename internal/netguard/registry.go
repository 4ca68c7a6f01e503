package netguard

import "net/netip"

// verdict is what the registries say about an address.
type verdict int

const (
	public   verdict = iota // an ordinary host of the internet
	inside                  // special purpose: loopback, private, link-local, reserved, …
	metadata                // a cloud's metadata or control service: hands out credentials
)

// special4 is the IANA IPv4 Special-Purpose Address Registry without the blocks
// it calls globally reachable, with multicast, which has a registry of its own.
var special4 = prefixes(
	"0.0.0.0/8",       // this network; 0.0.0.0 reaches the machine itself
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared address space behind carrier NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // IETF protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relay anycast, withdrawn
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarking
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, with the limited broadcast address
)

// global6 is all of IPv6 that is allocated to hosts of the internet. Whatever is
// outside (loopback, unique local, link-local, multicast, discard, local-use NAT64,
// IPv4-compatible, unallocated) is refused without being listed.
var global6 = netip.MustParsePrefix("2000::/3")

// special6 are the blocks inside global6 that are not ordinary hosts.
var special6 = prefixes(
	"2001::/23",     // IETF protocol assignments: Teredo, benchmarking, ORCHID, …
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, withdrawn: an IPv4 address in disguise
	"3fff::/20",     // documentation
)

// nat64 is the well-known prefix of NAT64: on networks without IPv4 every old
// site has an address here, so it is judged by the IPv4 address it carries.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// The other ways to write an IPv4 address in IPv6. They are refused whatever they
// carry, but a metadata address stays one in any of these disguises.
var (
	localNAT64  = netip.MustParsePrefix("64:ff9b:1::/48")
	compatible4 = netip.MustParsePrefix("::/96")
	sixToFour   = netip.MustParsePrefix("2002::/16")
	teredo      = netip.MustParsePrefix("2001::/32")
)

// metadataAddrs are services inside a cloud that give credentials, user data or
// control to whoever can reach them. Some are in public or private ranges.
var metadataAddrs = addresses(
	"169.254.169.254", // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack and most others
	"169.254.169.253", // AWS resolver
	"169.254.170.2",   // AWS ECS task credentials
	"169.254.170.23",  // AWS EKS pod identity
	"169.254.42.42",   // Scaleway
	"169.254.0.23",    // Tencent
	"100.100.100.200", // Alibaba
	"100.100.100.100", // MagicDNS of a tailnet
	"168.63.129.16",   // Azure wire server, in a public range
	"192.0.0.192",     // Oracle, first generation
	"fd00:ec2::254",   // AWS over IPv6
	"fd00:ec2::253",   // AWS resolver over IPv6
	"fd00:ec2::23",    // AWS EKS over IPv6
	"fd20:ce::254",    // Google over IPv6
	"fd00:42::42",     // Scaleway over IPv6
	"fe80::a9fe:a9fe", // OpenStack over IPv6
)

// judge looks an address up, and the IPv4 address hidden in it.
func judge(a netip.Addr) verdict {
	a = a.WithZone("").Unmap()
	hidden, carries := carried(a)
	if metadataAddrs[a] || carries && metadataAddrs[hidden] {
		return metadata
	}
	if a.Is4() {
		return inAny(special4, a)
	}
	if nat64.Contains(a) {
		return judge(hidden)
	}
	if !global6.Contains(a) {
		return inside
	}
	return inAny(special6, a)
}

// carried gives the IPv4 address that a transition address leads to.
func carried(a netip.Addr) (netip.Addr, bool) {
	if a.Is4() {
		return netip.Addr{}, false
	}
	b := a.As16()
	switch {
	case nat64.Contains(a), compatible4.Contains(a), localNAT64.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case teredo.Contains(a): // the client's address is inverted
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	case b[10] == 0x5e && b[11] == 0xfe && b[8]&^2 == 0 && b[9] == 0: // ISATAP, below any prefix
		return netip.AddrFrom4([4]byte(b[12:16])), true
	}
	return netip.Addr{}, false
}

func inAny(blocks []netip.Prefix, a netip.Addr) verdict {
	for _, p := range blocks {
		if p.Contains(a) {
			return inside
		}
	}
	return public
}

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

func addresses(texts ...string) map[netip.Addr]bool {
	out := make(map[netip.Addr]bool, len(texts))
	for _, t := range texts {
		out[netip.MustParseAddr(t)] = true
	}
	return out
}
