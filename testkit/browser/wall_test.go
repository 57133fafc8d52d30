package browser

import (
	"context"
	"fmt"
	"os/exec"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// counted counts the frames that scripts of the page ask for, not those that this test does.
const counted = `window.asked = 0; const real = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (f) => { if (new Error().stack.includes("/static/")) window.asked++; return real(f); };`

// painted tells of each live picture how many of its points are drawn.
const painted = `Object.fromEntries([...document.querySelectorAll(".wall canvas")].map((c) => [c.id,
	c.width ? c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v > 60).length : 0]))`

// TestWall sees every live picture drawn from blocks that come, and the trace of a cause; the river changes while it moves. Where less motion is wanted no
// frame is asked for, and the pictures still follow the chain. A cause that has no room is moved to its end.
func TestWall(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	for _, calm := range []bool{false, true} {
		t.Run(map[bool]string{false: "moving", true: "still"}[calm], func(t *testing.T) {
			ctx := tab(t, 1600, 1000, calm)
			if calm {
				reduce := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}
				if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, reduce); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: counted}); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/wall"), chromedp.WaitReady(".wall[data-motion]")); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"river", "ring", "graph", "tree"} {
				until(t, ctx, fmt.Sprintf("(%s)[%q] > 200", painted, id))
			}
			until(t, ctx, `document.querySelectorAll("#causal circle").length > 1`)
			until(t, ctx, `/ran [1-9]|ran 0 transactions and [1-9]/.test(document.getElementById("river").getAttribute("aria-label"))`)
			// two more blocks are drawn
			const label = `document.getElementById("river").getAttribute("aria-label")`
			before := value[string](t, ctx, label)
			until(t, ctx, fmt.Sprintf("%s !== %q", label, before))
			const final = `document.querySelector(".status a").textContent`
			until(t, ctx, fmt.Sprintf("%s !== %q", final, value[string](t, ctx, final)))
			asked := value[int](t, ctx, "window.asked")
			if calm {
				until(t, ctx, fmt.Sprintf("%s !== %q", label, value[string](t, ctx, label)))
				if after := value[int](t, ctx, "window.asked"); after != 0 {
					t.Errorf("%d frames although less motion is wanted", after)
				}
				if motion := value[string](t, ctx, `document.querySelector(".wall").dataset.motion`); motion != "still" {
					t.Errorf("the pictures are %s", motion)
				}
				return
			}
			until(t, ctx, fmt.Sprintf("window.asked > %d", asked+5))
			if err := chromedp.Do(ctx, press(`document.getElementById("still")`)); err != nil {
				t.Fatal(err)
			}
			stopped := value[int](t, ctx, "window.asked")
			until(t, ctx, fmt.Sprintf("%s !== %q", label, value[string](t, ctx, label)))
			if after := value[int](t, ctx, "window.asked"); after > stopped+1 { // one frame was asked for already
				t.Errorf("%d frames after the pictures were stopped", after-stopped)
			}
		})
	}
	t.Run("narrow", func(t *testing.T) {
		ctx := tab(t, 260, 700, false)
		if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/wall"), chromedp.WaitReady(".wall[data-motion]")); err != nil {
			t.Fatal(err)
		}
		until(t, ctx, `document.getElementById("causal").scrollLeft > 0`)
	})
}

// TestReading runs a handler from its form, and shows the command that would call it, with a payload that would leave its quotes.
func TestReading(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	ctx := tab(t, 1280, 900, false)
	const form = `document.querySelector('[data-handler="total"] form')`
	if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/account/"+n.journal), chromedp.WaitReady(`[data-handler="total"]`)); err != nil {
		t.Fatal(err)
	}
	until(t, ctx, `(document.querySelector('[data-handler="total"]').open = true) && `+form+` !== null`)
	const typed = `(() => { const p = ` + form + `.payload; p.value = "it's"; return p.dispatchEvent(new Event("input", { bubbles: true })) })()`
	value[bool](t, ctx, typed)
	want := "--actor " + n.journal + ` --handler total --payload-text 'it'\''s' --wait`
	until(t, ctx, fmt.Sprintf("%s.querySelector('.command').textContent.endsWith(%q)", form, want))
	until(t, ctx, `(`+form+`.requestSubmit(), true)`)
	until(t, ctx, `/^[1-9][0-9]*\n[0-9,]+ cycles, after block/.test(`+form+`.querySelector("output").textContent)`)
}

// until waits for an expression to be true.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression)); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// value gives an expression's.
func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}
