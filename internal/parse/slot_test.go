package parse

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

func openSlot(t *testing.T, b *bench, team string) *trawl.UploadSlot {
	t.Helper()
	slot, err := b.OpenSlot(as(t, team), trawl.UploadRequest{Filename: "a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

func uploaded(ref string) trawl.UploadedRequest { return trawl.UploadedRequest{UploadRef: ref} }

func TestAFileSentBeforehandIsParsedOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b := setUp(t, s, echo)
		slot := openSlot(t, b, "t")
		if slot.Method != "PUT" || slot.Headers["Content-Type"] != "application/octet-stream" || slot.MaxSizeBytes != 52428800 ||
			!time.Time(slot.ExpiresAt).Equal(noon.Add(10*time.Minute)) {
			t.Errorf("%+v", slot)
		}
		_, err := b.ParseUploaded(as(t, "t"), uploaded(slot.UploadRef))
		if want := "Uploaded file is not available. Upload the file before parsing."; err == nil || err.Error() != want {
			t.Errorf("before the upload: %v, want %s", err, want)
		}
		for _, text := range []string{"first", "second"} {
			if err := b.Upload(t.Context(), slot.ID, slot.UploadRef, strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.ParseUploaded(as(t, "other"), uploaded(slot.UploadRef)); err == nil || err.Error() != "Forbidden" {
			t.Errorf("another team: %v", err)
		}
		upload, err := s.Upload(t.Context(), slot.ID)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := b.ParseUploaded(as(t, "t"), uploaded(slot.UploadRef))
		if err != nil || doc.Markdown != "a.txt: second" {
			t.Fatalf("%+v, %v", doc, err)
		}
		if _, err := b.Blobs.Get(t.Context(), upload.BlobKey); err == nil {
			t.Error("the bytes are still there")
		}
		if err := b.Upload(t.Context(), slot.ID, slot.UploadRef, strings.NewReader("x")); err == nil || err.Error() != "Not Found" {
			t.Errorf("filling it again: %v", err)
		}
		if _, err := b.ParseUploaded(as(t, "t"), uploaded(slot.UploadRef)); err == nil || err.Error() != "Not Found" {
			t.Errorf("parsing it again: %v", err)
		}
	})
}

func TestAFileThatCannotBeParsedIsRemovedToo(t *testing.T) {
	b := setUp(t, storetest.Open(t, storetest.SQLite(t)), readerFunc(func(trawl.File) (*trawl.Document, error) {
		return nil, errors.New("no good")
	}))
	slot := openSlot(t, b, "t")
	if err := b.Upload(t.Context(), slot.ID, slot.UploadRef, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ParseUploaded(as(t, "t"), uploaded(slot.UploadRef)); err == nil || err.Error() != "no good" {
		t.Errorf("%v", err)
	}
	if _, err := b.ParseUploaded(as(t, "t"), uploaded(slot.UploadRef)); err == nil || err.Error() != "Not Found" {
		t.Errorf("the slot is still there: %v", err)
	}
}

func TestReferencesOpenTheirOwnSlotForTenMinutes(t *testing.T) {
	b := setUp(t, storetest.Open(t, storetest.SQLite(t)), echo)
	one, two := openSlot(t, b, "t"), openSlot(t, b, "t")
	err := b.Upload(t.Context(), one.ID, two.UploadRef, strings.NewReader("x"))
	if want := "uploadRef does not match this upload URL."; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	b.now = noon.Add(10 * time.Minute)
	err = b.Upload(t.Context(), one.ID, one.UploadRef, strings.NewReader("x"))
	if want := "uploadRef has expired."; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSlotsThatAreNeverParsedAreLimited(t *testing.T) {
	b := setUp(t, storetest.Open(t, storetest.SQLite(t)), echo)
	first := openSlot(t, b, "t")
	b.now = noon.Add(time.Hour)
	for range maxUnparsed - 1 {
		openSlot(t, b, "t")
	}
	_, err := b.OpenSlot(as(t, "t"), trawl.UploadRequest{Filename: "a.txt"})
	var e *trawl.Error
	if !errors.As(err, &e) || e.Message != "Rate limit exceeded" || e.Code != "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED" || e.RetryAfter != 23*time.Hour {
		t.Errorf("%#v", err)
	}
	openSlot(t, b, "other")
	b.now = noon
	if err := b.Upload(t.Context(), first.ID, first.UploadRef, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ParseUploaded(as(t, "t"), uploaded(first.UploadRef)); err != nil {
		t.Fatal(err)
	}
	openSlot(t, b, "t") // a parsed one counts no longer
}

func TestTwoProcessesShareTheSecret(t *testing.T) {
	s := storetest.Open(t, storetest.SQLite(t))
	one, two := setUp(t, s, echo), setUp(t, s, echo)
	slot := openSlot(t, one, "t")
	if err := two.Upload(t.Context(), slot.ID, slot.UploadRef, strings.NewReader("x")); err != nil {
		t.Error(err)
	}
}
