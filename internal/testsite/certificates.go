package testsite

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

// authority is a certificate authority that exists for one run of the site.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate

	good, expired, wrongHost, selfSigned *tls.Certificate
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make key of the test authority: %w", err)
	}
	a := &authority{key: key}
	root := certificate("testsite authority", 24*time.Hour)
	root.IsCA, root.BasicConstraintsValid, root.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("sign test authority: %w", err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		return nil, fmt.Errorf("read test authority: %w", err)
	}
	return a, a.issueAll()
}

// issueAll makes one certificate for each way a certificate can be.
func (a *authority) issueAll() error {
	good := certificate("localhost", 24*time.Hour)
	expired := certificate("localhost", -time.Hour)
	elsewhere := certificate("elsewhere.test", 24*time.Hour)
	elsewhere.DNSNames, elsewhere.IPAddresses = []string{"elsewhere.test"}, nil
	alone := certificate("localhost", 24*time.Hour)
	for _, wanted := range []struct {
		into   **tls.Certificate
		cert   *x509.Certificate
		parent *x509.Certificate
	}{
		{&a.good, good, a.cert}, {&a.expired, expired, a.cert}, {&a.wrongHost, elsewhere, a.cert}, {&a.selfSigned, alone, alone},
	} {
		der, err := x509.CreateCertificate(rand.Reader, wanted.cert, wanted.parent, a.key.Public(), a.key)
		if err != nil {
			return fmt.Errorf("sign test certificate: %w", err)
		}
		*wanted.into = &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
	}
	return nil
}

// certificate describes a server certificate for loopback that ends after the
// given time; a negative time makes it one that has ended.
func certificate(name string, lasts time.Duration) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-48 * time.Hour),
		NotAfter:     now.Add(lasts),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     []string{"localhost", "*.localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
}

// tlsOrigins serve the same page over every kind of certificate.
func (s *Site) tlsOrigins() []*origin {
	page := htmlPage("Over TLS", "<h1>Over TLS</h1><p>This page came over an encrypted connection.</p>")
	return []*origin{
		{Origin: Origin{Name: "tls-good", About: "TLS and HTTP/2, certificate of Site.RootCAs"}, handler: page, cert: s.ca.good},
		{Origin: Origin{Name: "tls-expired", About: "certificate ended an hour ago"}, handler: page, cert: s.ca.expired},
		{Origin: Origin{Name: "tls-self-signed", About: "certificate signed by itself"}, handler: page, cert: s.ca.selfSigned},
		{Origin: Origin{Name: "tls-wrong-host", About: "certificate of another host"}, handler: page, cert: s.ca.wrongHost},
	}
}

// RootCAs gives a pool that trusts the site's own authority and nothing else.
func (s *Site) RootCAs() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.ca.cert)
	return pool
}
