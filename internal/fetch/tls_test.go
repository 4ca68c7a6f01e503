package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func userOf(name, password string) *url.Userinfo { return url.UserPassword(name, password) }

// authority signs certificates that the engine under test trusts.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key}
}

func (a *authority) sign(t *testing.T, notAfter time.Time, ip string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "site"}, NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: notAfter,
		IPAddresses: []net.IP{net.ParseIP(ip)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a *authority) engine(t *testing.T) *HTTP {
	t.Helper()
	f := engine(t)
	f.verified.TLSClientConfig.RootCAs = x509.NewCertPool()
	f.verified.TLSClientConfig.RootCAs.AddCert(a.cert)
	return f
}

func secureSite(t *testing.T, config *tls.Config) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.TLS.Version)
	}))
	s.TLS = config
	s.EnableHTTP2 = config.MaxVersion == 0
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestTLSRule(t *testing.T) {
	ca := newAuthority(t)
	later := time.Now().Add(time.Hour)
	with := func(c tls.Certificate) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{c}} }
	old := with(ca.sign(t, later, "127.0.0.1"))
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS10
	for _, tc := range []struct {
		name    string
		config  *tls.Config
		message string // when verified; empty: the page comes
	}{
		{"good certificate over HTTP/2", with(ca.sign(t, later, "127.0.0.1")), ""},
		{"expired certificate", with(ca.sign(t, time.Now().Add(-time.Hour), "127.0.0.1")), "expired"},
		{"certificate of another host", with(ca.sign(t, later, "127.0.0.2")), "another host"},
		{"certificate of an unknown authority", with(newAuthority(t).sign(t, later, "127.0.0.1")), "not trusted"},
		{"protocol of yesterday", old, "No secure connection"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			site := secureSite(t, tc.config)
			f := ca.engine(t)
			r := request(t, site)
			page, err := f.Fetch(t.Context(), r)
			switch {
			case tc.message == "" && (err != nil || !strings.HasPrefix(string(page.Body), "HTTP/2.0")):
				t.Errorf("page %v, error %v; want it over HTTP/2", page, err)
			case tc.message != "":
				e, _ := failure(t, err)
				if e.Code != "SCRAPE_SSL_ERROR" || !strings.Contains(e.Message, tc.message) {
					t.Errorf("error %s %v, want SCRAPE_SSL_ERROR about %q", e.Code, err, tc.message)
				}
			}
			r.SkipTLSVerify = true
			if _, err := f.Fetch(t.Context(), r); err != nil {
				t.Errorf("without verification: %v", err)
			}
		})
	}
}
