package object

func defineBytes() {
	Define(&TypeBytes, Spec{Name: "bytes", Layout: LayoutOf[Bytes](KindBytes), MatchSelf: true, Methods: nil})
	Define(&TypeByteArray, Spec{Name: "bytearray", Layout: LayoutOf[ByteArray](KindByteArray), MatchSelf: true, Methods: nil})
}
