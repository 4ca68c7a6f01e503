package blob

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestParseS3(t *testing.T) {
	for _, tc := range []struct{ name, address, want string }{
		{"all of it", "s3://id:secret@b/p/q/?endpoint=localhost:9000&region=eu&insecure=1", "http://localhost:9000 b p/q/ eu id secret"},
		{"endpoint with a scheme", "s3://b?endpoint=https%3A%2F%2Fs3.test", "https://s3.test b  us-east-1  "},
		{"Amazon", "s3://b/p?region=eu-west-1", "https://s3.eu-west-1.amazonaws.com b p/ eu-west-1  "},
		{"another scheme", "http://b", "error"},
		{"no bucket", "s3:///p", "error"},
		{"a parameter we do not know", "s3://b?colour=green", "error"},
		{"an endpoint with a path", "s3://b?endpoint=host/path", "error"},
		{"an endpoint of another kind", "s3://b?endpoint=ftp://host", "error"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := "error"
			if s, err := ParseS3(tc.address); err == nil {
				got = strings.Join([]string{s.Endpoint.String(), s.Bucket, s.Prefix, s.Region, s.ID, s.Secret}, " ")
			}
			if got != tc.want {
				t.Errorf("ParseS3(%s) = %s, want %s", tc.address, got, tc.want)
			}
		})
	}
}

func TestS3NeedsADialer(t *testing.T) {
	if _, err := Open(Options{URL: "s3://bucket"}); err == nil {
		t.Error("Open of S3 without a dialer succeeded")
	}
}

func FuzzParseS3(f *testing.F) {
	f.Add("s3://id:secret@b/p?endpoint=localhost:9000&insecure=1")
	f.Fuzz(func(t *testing.T, address string) {
		if s, err := ParseS3(address); err == nil && (s.Endpoint.Host == "" || s.Bucket == "") {
			t.Errorf("ParseS3(%q) = %+v", address, s)
		}
	})
}

// fakeS3 is as much of S3 as a blob store needs: objects of one bucket, by path.
type fakeS3 struct {
	bucket  string
	mu      sync.Mutex
	objects map[string][]byte
}

func newFakeS3(bucket string) *fakeS3 { return &fakeS3{bucket: bucket, objects: map[string][]byte{}} }

func (f *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	f.mu.Lock()
	defer f.mu.Unlock()
	data, found := f.objects[key]
	switch {
	case !strings.Contains(r.Header.Get("Authorization"), "Credential=id/"):
		refuse(w, http.StatusForbidden, "AccessDenied")
	case bucket != f.bucket:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case key == "" && r.Method == http.MethodGet:
		f.list(w, r.URL.Query().Get("prefix"))
	case r.Method == http.MethodPut:
		body, err := objectBody(r)
		if err != nil {
			refuse(w, http.StatusBadRequest, "IncompleteBody")
			return
		}
		f.objects[key] = body
		w.Header().Set("ETag", `"0"`)
	case r.Method == http.MethodDelete:
		delete(f.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !found:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"0"`)
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(data)
		}
	}
}

func (f *fakeS3) list(w http.ResponseWriter, prefix string) {
	type object struct {
		Key          string
		Size         int
		LastModified string
	}
	answer := struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []object
	}{}
	for key, data := range f.objects {
		if strings.HasPrefix(key, prefix) {
			answer.Contents = append(answer.Contents, object{key, len(data), time.Now().UTC().Format(time.RFC3339)})
		}
	}
	_ = xml.NewEncoder(w).Encode(answer)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
}

// objectBody undoes the signed chunks in which bodies travel over plain HTTP.
func objectBody(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	var body bytes.Buffer
	in := bufio.NewReader(r.Body)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseInt(size, 16, 64)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return body.Bytes(), nil
		}
		if _, err := io.CopyN(&body, in, n); err != nil {
			return nil, err
		}
		if _, err := in.Discard(len("\r\n")); err != nil {
			return nil, err
		}
	}
}
