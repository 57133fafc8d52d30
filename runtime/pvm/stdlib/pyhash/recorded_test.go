package pyhash

const (
	recordedBlake2b = "22c463a251b248ef7e89233b3b071e6ad7783050"
	recordedBlake2s = "398310e80a095b5cc400c9e4c331606fe1f0c8ad"
)
