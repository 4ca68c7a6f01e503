package pdftest

import (
	"crypto/md5"
	"crypto/rc4"
	"fmt"
)

// The oldest of PDF's encryptions is enough to test what a reader does with a
// password: RC4 with 40 bits.

var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

const fileID = "pdftest fixed id"

func padded(password string) []byte { return append([]byte(password), padding...)[:32] }

func (d *Doc) owner() []byte {
	sum := md5.Sum(padded("owner"))
	return crypt(sum[:5], padded(d.Password))
}

func (d *Doc) key() []byte {
	if !d.Encrypted {
		return nil
	}
	h := md5.New()
	h.Write(padded(d.Password))
	h.Write(d.owner())
	h.Write([]byte{0xFC, 0xFF, 0xFF, 0xFF})
	h.Write([]byte(fileID))
	return h.Sum(nil)[:5]
}

// encryption is what the trailer says about it.
func (d *Doc) encryption() string {
	return fmt.Sprintf(" /ID [<%x> <%x>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%x> /U <%x> >>",
		fileID, fileID, d.owner(), crypt(d.key(), padding))
}

// encrypt encrypts what belongs to an object.
func (w *writer) encrypt(id int, b []byte) []byte {
	if w.key == nil {
		return b
	}
	sum := md5.Sum(append(append([]byte(nil), w.key...), byte(id), byte(id>>8), byte(id>>16), 0, 0))
	return crypt(sum[:len(w.key)+5], b)
}

func crypt(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err) // the length of the key is ours
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}
