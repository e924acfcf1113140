package calendar

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
)

// Mark names an amendment in the event with that id: an occurrence may have the marks of its series too.
func Mark(key, id string) string {
	sum := sha256.Sum256([]byte(key + "\n" + id))
	return hex.EncodeToString(sum[:8])
}

// maxNote bounds what Unpack reads, in bytes.
const maxNote = 4 << 20

// Pack is the JSON of a value, compressed, for a property of an event. It is empty if the value has none.
func Pack(v any) string {
	text, err := json.Marshal(v)
	var packed bytes.Buffer
	z, zErr := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil || zErr != nil {
		return ""
	}
	_, _ = z.Write(text) // into memory
	_ = z.Close()
	return base64.RawStdEncoding.EncodeToString(packed.Bytes())
}

// Unpack reads what Pack wrote into v.
func Unpack(note string, v any) error {
	packed := base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(note))
	return json.NewDecoder(io.LimitReader(flate.NewReader(packed), maxNote)).Decode(v)
}
