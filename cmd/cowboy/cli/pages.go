package cli

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// pages reads a list from the node page by page. add takes a page and gives the cursor behind it, "" after the last page.
func pages[P any](ctx context.Context, a *app, path string, add func(page *P) string) error {
	next := path
	for {
		var page P
		if err := a.node().Read(ctx, next, &page); err != nil {
			return err
		}
		cursor := add(&page)
		if cursor == "" {
			return nil
		}
		mark := "?"
		if strings.Contains(path, "?") {
			mark = "&"
		}
		next = path + mark + "cursor=" + url.QueryEscape(cursor)
	}
}

// behind is a cursor that is a number, of which 0 says that there is nothing more.
func behind(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}
