package netguard

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/trawlhq/trawl"
)

// Policy is what an operator permits beyond the public internet. The zero value
// permits nothing more.
type Policy struct {
	everything bool            // every address but the metadata services
	blocks     []netip.Prefix  // addresses permitted one by one or by block
	names      map[string]bool // host names permitted wherever they lead
}

// ParsePolicy reads the setting TRAWL_ALLOW_PRIVATE_NETWORKS: "false" or nothing,
// "true", or a list of addresses, blocks and host names, as in
// "10.1.0.0/16,fd12::/48,localhost". "true" may stand in a list.
//
// Metadata services stay refused under "true" and under a block that covers them;
// only their own address, or their own name, in the list permits them.
func ParsePolicy(text string) (Policy, error) {
	p := Policy{names: map[string]bool{}}
	for item := range strings.SplitSeq(text, ",") {
		if err := p.permit(strings.ToLower(strings.TrimSpace(item))); err != nil {
			return Policy{}, err
		}
	}
	return p, nil
}

func (p *Policy) permit(item string) error {
	switch item {
	case "", "false":
		return nil
	case "true":
		p.everything = true
		return nil
	}
	if block, err := netip.ParsePrefix(item); err == nil {
		p.blocks = append(p.blocks, block.Masked())
		return nil
	}
	if strings.ContainsAny(item, "/*: ") && !isAddr(item) {
		return fmt.Errorf("read private network exceptions: %q is not true, false, an address, a block or a host name", item)
	}
	h, err := parseHost(strings.Trim(item, "[]"))
	if err != nil {
		return fmt.Errorf("read private network exceptions: %q: %w", item, err)
	}
	if h.addr.IsValid() {
		a := h.addr.WithZone("").Unmap()
		p.blocks = append(p.blocks, netip.PrefixFrom(a, a.BitLen()))
		return nil
	}
	p.names[h.name] = true
	return nil
}

// check refuses an address that is neither public nor permitted. name is the host
// that led to it, empty when the address itself was written.
func (p Policy) check(a netip.Addr, name string) error {
	v := judge(a)
	if v == public || p.listed(a, v) {
		return nil
	}
	if v == inside && (p.everything || p.names[name]) {
		return nil
	}
	if v == metadata && p.names[name] && metadataName(name) {
		return nil
	}
	return refused(fmt.Errorf("%s (%q) is not a public address", a, name))
}

// checkName refuses the names of metadata services before they are looked up.
func (p Policy) checkName(name string) error {
	if metadataName(name) && !p.names[name] {
		return refused(fmt.Errorf("%q names a metadata service", name))
	}
	return nil
}

func (p Policy) listed(a netip.Addr, v verdict) bool {
	a = a.WithZone("").Unmap()
	for _, block := range p.blocks {
		if block.Contains(a) && (v != metadata || block.IsSingleIP()) {
			return true
		}
	}
	return false
}

func (p Policy) allowsName(host string) bool {
	h, err := parseHost(host)
	if err != nil {
		return false
	}
	if h.addr.IsValid() {
		return p.check(h.addr, "") == nil
	}
	if p.names[h.name] {
		return true
	}
	loopback := isLocalhost(h.name)
	return loopback && (p.everything || p.listed(loopback4, inside) || p.listed(loopback6, inside))
}

// metadataName says whether a name is known for a metadata service and nothing else.
func metadataName(name string) bool {
	switch name {
	case "metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
		"metadata.azure.internal", "metadata.tencentyun.com", "metadata.platformequinix.com", "metadata.packet.net":
		return true
	}
	return false
}

// refused is the answer to everything the guard turns down. The address that was
// found stays in the log: told to the caller, it would map the inside for them.
func refused(why error) error {
	return trawl.Errorf(trawl.Forbidden, "This address is not on the public internet").
		WithCode("PRIVATE_ADDRESS_BLOCKED").
		WithDetails(map[string]any{"retryable": false}).
		Because(why)
}

func isAddr(text string) bool {
	_, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return err == nil
}
