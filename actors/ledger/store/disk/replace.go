package disk

import "errors"

// Replace puts a new file in the place of the one called name, or where there is none. It is written under the name next and synced before it is renamed, so
// that a crash leaves the old file or the new one, whole. The caller closes it.
func Replace(d Disk, name, next string, write func(File) error) (File, error) {
	f, err := d.Create(next)
	if err != nil {
		return nil, err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = d.Rename(next, name)
	}
	if err == nil {
		err = d.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReplaceBytes is Replace for a file of so many bytes, which it closes.
func ReplaceBytes(d Disk, name, next string, data []byte) error {
	f, err := Replace(d, name, next, func(f File) error {
		_, err := f.WriteAt(data, 0)
		return err
	})
	if err != nil {
		return err
	}
	return f.Close()
}
