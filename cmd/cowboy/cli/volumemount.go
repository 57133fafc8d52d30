package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
)

// closeWithin bounds the last commit of a mount.
const closeWithin = 10 * time.Minute

// volumeMount shows a volume as a folder until the command is interrupted.
//
// Spec: storage-cbfs §3.5.
func (a *app) volumeMount() *cobra.Command {
	f := &fileFlags{}
	var options mount.Options
	var others bool
	cmd := &cobra.Command{
		Use: "mount VOLUME FOLDER", Short: "Show a volume as a folder until Ctrl-C", Args: cobra.ExactArgs(2),
		Long: "Show a volume as a folder until Ctrl-C or `umount`. What programs write is committed at the interval, when a program syncs it, and at the\n" +
			"end, when the files that cannot be committed are left in the cache folder. Files cannot be removed or renamed: `cowboy volume rm` removes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.Every != 0 && options.Every < mount.LeastEvery {
				return usageError{fmt.Errorf("--sync is at least %s", mount.LeastEvery)}
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			c, err := a.files(ctx, f, args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			c.Told = nil
			if options.Dir == "" {
				options.Dir = filepath.Join(".cowboy", "mounts", c.id.Hex())
			}
			if options.Dir, err = filepath.Abs(options.Dir); err != nil {
				return err
			}
			options.Now = time.Now
			options.Tell = func(err error) {
				if err != nil {
					fmt.Fprintf(a.err, "not committed yet: %v\n", err)
				}
			}
			s, err := mount.New(ctx, c.Client, c.id, options)
			if err != nil {
				return err
			}
			m, err := mount.Serve(s, args[1], others)
			if err != nil {
				return errors.Join(err, s.Close(ctx))
			}
			fmt.Fprintf(a.err, "%s is mounted at %s; Ctrl-C ends it\n", args[0], args[1])
			select {
			case <-ctx.Done():
			case <-m.Gone():
			}
			stop() // a second Ctrl-C ends the command at once
			within, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), closeWithin)
			defer cancel()
			if err := m.Unmount(within); err != nil {
				return err
			}
			return a.show(map[string]string{"unmounted": args[1]}, "%s is unmounted, and all of it is committed\n", args[1])
		},
	}
	f.registerWrites(cmd)
	cmd.Flags().StringVar(&options.Dir, "cache-dir", "", "the folder of the cache, which is made for this mount (default: .cowboy/mounts/ID)")
	cmd.Flags().Uint64Var(&options.Cache, "cache-bytes", mount.CacheBytes, "how many bytes of files that were read the cache keeps")
	cmd.Flags().DurationVar(&options.Every, "sync", 0, "between two commits, at least 1s (default: what the token says, or 5s)")
	cmd.Flags().BoolVar(&others, "allow-other", false, "let programs of other users in")
	return cmd
}
