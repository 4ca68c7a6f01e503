package imagedoc

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif"  // measures GIF
	_ "image/jpeg" // measures JPEG
	_ "image/png"  // measures PNG
)

// size reads the dimensions out of the header, decoding nothing.
func size(media string, b []byte) (width, height int, ok bool) {
	switch media {
	case "image/bmp":
		return sizeBMP(b)
	case "image/tiff":
		return sizeTIFF(b)
	case "image/webp":
		return sizeWebP(b)
	case "image/jp2":
		return sizeJP2(b)
	case avif:
		return sizeAVIF(b)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0, false
	}
	return config.Width, config.Height, true
}

func sizeBMP(b []byte) (width, height int, ok bool) {
	if len(b) < 26 {
		return 0, 0, false
	}
	if b[14] == 12 { // the oldest header
		return int(binary.LittleEndian.Uint16(b[18:])), int(binary.LittleEndian.Uint16(b[20:])), true
	}
	width = int(int32(binary.LittleEndian.Uint32(b[18:])))
	height = int(int32(binary.LittleEndian.Uint32(b[22:])))
	if height < 0 { // the rows come from the top
		height = -height
	}
	return width, height, width > 0 && height > 0
}

// sizeTIFF reads the directories of a file and gives the largest width and
// height in any of them: all pages are decoded.
func sizeTIFF(b []byte) (width, height int, ok bool) {
	order := binary.ByteOrder(binary.LittleEndian)
	if len(b) < 8 {
		return 0, 0, false
	}
	if b[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(b[4:]))
	for pages := 0; at > 0 && at+2 <= int64(len(b)) && pages < 1000; pages++ {
		count := int64(order.Uint16(b[at:]))
		end := at + 2 + 12*count
		if end+4 > int64(len(b)) {
			break
		}
		for e := at + 2; e < end; e += 12 {
			value := int(order.Uint32(b[e+8:]))
			if order.Uint16(b[e+2:]) == 3 { // a short one stands in the first half
				value = int(order.Uint16(b[e+8:]))
			}
			switch order.Uint16(b[e:]) {
			case 256:
				width = max(width, value)
			case 257:
				height = max(height, value)
			}
		}
		at = int64(order.Uint32(b[end:]))
	}
	return width, height, width > 0 && height > 0
}

func sizeWebP(b []byte) (width, height int, ok bool) {
	if len(b) < 30 {
		return 0, 0, false
	}
	switch string(b[12:16]) {
	case "VP8X":
		return 1 + uint24(b[24:]), 1 + uint24(b[27:]), true
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[21:])
		return 1 + int(bits&0x3FFF), 1 + int(bits>>14&0x3FFF), true
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3FFF), int(binary.LittleEndian.Uint16(b[28:]) & 0x3FFF), true
	}
	return 0, 0, false
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// sizeJP2 finds the image header: of a bare code stream it is at the start, in
// a file it is in a box called ihdr.
func sizeJP2(b []byte) (width, height int, ok bool) {
	if i := bytes.Index(b[:min(len(b), 4096)], []byte("ihdr")); i >= 0 && i+12 <= len(b) {
		return int(binary.BigEndian.Uint32(b[i+8:])), int(binary.BigEndian.Uint32(b[i+4:])), true
	}
	if i := bytes.Index(b[:min(len(b), 4096)], []byte("\xff\x4f\xff\x51")); i >= 0 && i+16 <= len(b) {
		return int(binary.BigEndian.Uint32(b[i+8:])), int(binary.BigEndian.Uint32(b[i+12:])), true
	}
	return 0, 0, false
}
