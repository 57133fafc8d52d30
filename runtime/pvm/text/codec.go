package text

import "strings"

// codecName brings the name of an encoding into the form in which names are compared.
func codecName(s string) string {
	if len(s) > 40 {
		return ""
	}
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(s))
}

// IsUTF8 says whether a name of an encoding is one of those CPython has for UTF-8.
func IsUTF8(s string) bool {
	if s == "utf-8" {
		return true
	}
	switch codecName(s) {
	case "utf_8", "utf8", "u8", "utf", "utf8_ucs2", "utf8_ucs4", "cp65001":
		return true
	default:
		return false
	}
}

// IsOtherCodec says whether a name of an encoding is one that CPython knows for another than UTF-8.
func IsOtherCodec(s string) bool {
	name := codecName(s)
	switch name {
	case "ascii", "us_ascii", "646", "latin1", "latin_1", "latin", "l1", "iso8859_1", "iso_8859_1", "8859", "utf_7", "utf7", "utf_8_sig", "utf8_sig",
		"utf_16", "utf16", "utf_16_le", "utf_16le", "utf_16_be", "utf_16be", "utf_32", "utf32", "utf_32_le", "utf_32le", "utf_32_be", "utf_32be",
		"raw_unicode_escape", "unicode_escape", "idna", "punycode", "mbcs", "rot13", "rot_13", "hex", "base64", "bz2", "zlib", "uu", "quopri",
		"big5", "gbk", "gb2312", "gb18030", "euc_jp", "euc_kr", "shift_jis", "sjis", "koi8_r", "koi8_u", "mac_roman", "hz":
		return true
	}
	for _, prefix := range []string{"iso8859_", "iso_8859_", "cp", "windows_", "latin", "iso2022_", "mac_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// IsOtherErrorHandler says whether a name is that of an error handler CPython has beside strict.
func IsOtherErrorHandler(s string) bool {
	switch s {
	case "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass":
		return true
	}
	return false
}
