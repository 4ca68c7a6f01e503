package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket keeps each blob in an object of S3, or of anything that speaks like it.
type bucket struct {
	client *minio.Client
	name   string
	prefix string
}

// S3 is what an s3:// address says.
type S3 struct {
	Endpoint *url.URL // scheme, host and port of the service
	Bucket   string
	Prefix   string // before each key; empty or ending in a slash
	Region   string
	ID       string // access key; empty: from the usual AWS variables
	Secret   string
}

// ParseS3 reads s3://[id:secret@]bucket[/prefix][?endpoint=host:port&region=name&insecure=1].
// Without an endpoint it is Amazon's, in us-east-1 unless a region is named;
// insecure=1 speaks plain HTTP.
func ParseS3(address string) (*S3, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("the address must look like s3://bucket/prefix?endpoint=host:port") // it may hold a secret, so it is not repeated
	}
	q := u.Query()
	for name := range q {
		if name != "endpoint" && name != "region" && name != "insecure" {
			return nil, fmt.Errorf("the address of an S3 bucket has no parameter %q", name)
		}
	}
	s := &S3{Bucket: u.Host, Region: q.Get("region"), ID: u.User.Username()}
	s.Secret, _ = u.User.Password()
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		s.Prefix = prefix + "/"
	}
	if s.Region == "" {
		s.Region = "us-east-1"
	}
	s.Endpoint, err = endpoint(q.Get("endpoint"), s.Region, q.Get("insecure"))
	return s, err
}

func endpoint(text, region, insecure string) (*url.URL, error) {
	if text == "" {
		text = "s3." + region + ".amazonaws.com"
	}
	if !strings.Contains(text, "://") {
		scheme := "https://"
		if insecure == "1" || insecure == "true" {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%q is no endpoint of S3", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}

func openBucket(opt Options) (*bucket, error) {
	s3, err := ParseS3(opt.URL)
	if err != nil {
		return nil, err
	}
	if opt.DialContext == nil {
		return nil, errors.New("S3 needs a dialer")
	}
	creds := credentials.NewEnvAWS()
	if s3.ID != "" {
		creds = credentials.NewStaticV4(s3.ID, s3.Secret, "")
	}
	client, err := minio.New(s3.Endpoint.Host, &minio.Options{
		Creds:        creds,
		Secure:       s3.Endpoint.Scheme == "https",
		Region:       s3.Region,
		BucketLookup: minio.BucketLookupPath, // one host to dial, whatever the bucket
		MaxRetries:   3,
		Transport: &http.Transport{
			DialContext:           opt.DialContext,
			MaxIdleConnsPerHost:   32,
			IdleConnTimeout:       time.Minute,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: 30 * time.Second,
			DisableCompression:    true, // the bytes are packed as they are
		},
	})
	if err != nil {
		return nil, err
	}
	return &bucket{client: client, name: s3.Bucket, prefix: s3.Prefix}, nil
}

func (b *bucket) object(key string) string { return b.prefix + key + ending }

func (b *bucket) put(ctx context.Context, key string, packed []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.object(key), bytes.NewReader(packed), int64(len(packed)),
		minio.PutObjectOptions{ContentType: "application/zstd", DisableMultipart: true})
	return err
}

func (b *bucket) get(ctx context.Context, key string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.name, b.object(key), minio.GetObjectOptions{})
	if err != nil {
		return nil, notFound(err)
	}
	return lazyObject{object}, nil
}

// lazyObject asks the service when it is first read, so only then is known
// whether it exists.
type lazyObject struct{ *minio.Object }

func (o lazyObject) Read(p []byte) (int, error) {
	n, err := o.Object.Read(p)
	return n, notFound(err)
}

func (b *bucket) delete(ctx context.Context, key string) error {
	err := notFound(b.client.RemoveObject(ctx, b.name, b.object(key), minio.RemoveObjectOptions{}))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (b *bucket) exists(ctx context.Context, key string) (bool, error) {
	_, err := b.client.StatObject(ctx, b.name, b.object(key), minio.StatObjectOptions{})
	if err = notFound(err); errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (b *bucket) usage(ctx context.Context) (u Usage, err error) {
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if object.Err != nil {
			return u, object.Err
		}
		if strings.HasSuffix(object.Key, ending) {
			u.Blobs++
			u.Bytes += object.Size
		}
	}
	return u, nil
}

// notFound turns S3's word for a missing object into ours. A missing bucket is another matter.
func notFound(err error) error {
	if err != nil && minio.ToErrorResponse(err).Code == "NoSuchKey" {
		return ErrNotFound
	}
	return err
}

func bucketUnavailable(err error) bool {
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && (answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests)
}
