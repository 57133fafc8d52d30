package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"regexp"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// A snapshot takes the place of the whole store, so a disk holds generations of stores: the files of generation g begin with "g<g>-", those of
// generation 0 with nothing. The file "generation" names the present one and is replaced in one step; the next one is where a snapshot is
// collected. All others are removed when the disk is opened.
const generationName = "generation"

var generationFile = regexp.MustCompile(`^g([0-9]+)-`)

// generation gives one generation's part of a disk.
func generation(d disk.Disk, g uint64) disk.Disk {
	if g == 0 {
		return d
	}
	return disk.NewPart(d, fmt.Sprintf("g%d-", g))
}

// generationImage gives the path of a generation's file of checkpoints; "" for none.
func generationImage(path string, g uint64) string {
	if path == "" || g == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, g)
}

// presentGeneration reads which generation is the present one.
func presentGeneration(d disk.Disk) (uint64, error) {
	f, err := d.Open(generationName)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	have, err := Generation.Read(f)
	if err == nil {
		err = Generation.Check(generationName, have)
	}
	if err != nil {
		return 0, errors.Join(err, f.Close())
	}
	var b [12]byte
	_, err = f.ReadAt(b[:], 0)
	if err == nil && crc32.Checksum(b[:8], castagnoli) != binary.BigEndian.Uint32(b[8:]) {
		err = errors.New("checksum")
	}
	if err != nil {
		return 0, errors.Join(&store.CorruptError{File: generationName, Offset: 0, What: "not a generation", Err: err}, f.Close())
	}
	return binary.BigEndian.Uint64(b[:]), f.Close()
}

// moveTo makes a generation the present one, durably.
func moveTo(d disk.Disk, g uint64) error {
	b := binary.BigEndian.AppendUint64(nil, g)
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return disk.ReplaceBytes(d, generationName, generationName+".tmp", b)
}

// sweep removes what generations that are neither the present nor the next one left behind.
func sweep(d disk.Disk, imagePath string, present uint64) error {
	if present > 0 {
		if err := store.Wipe(d); err != nil {
			return err
		}
		if err := removeImage(imagePath, 0); err != nil {
			return err
		}
	}
	names, err := d.List()
	if err != nil {
		return err
	}
	old := map[uint64]bool{}
	for _, name := range names {
		match := generationFile.FindStringSubmatch(name)
		if match == nil {
			continue
		}
		g, err := strconv.ParseUint(match[1], 10, 64)
		if err != nil || g == present || g == present+1 {
			continue
		}
		old[g] = true
		if err := d.Remove(name); err != nil {
			return err
		}
	}
	for g := range old { // order-free: each file is removed
		if err := removeImage(imagePath, g); err != nil {
			return err
		}
	}
	if len(old) == 0 {
		return nil
	}
	return d.Sync()
}

func removeImage(path string, g uint64) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(generationImage(path, g)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
