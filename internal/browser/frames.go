package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// maxFrames bounds how many frames of other origins are read: pages full of ad
// slots have hundreds.
const maxFrames = 32

// placeFrames has the text of frames that page.js cannot look into written in
// worlds of their own, innermost first, and hands it to the world of the
// frame around. A frame that cannot be read is left out: the page is the page
// without it.
func (t *tab) placeFrames(ctx context.Context) error {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	tree, err := call(ctx, t.session, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return t.explain(ctx, err)
	}
	left := maxFrames
	return t.placeBelow(ctx, tree.FrameTree, &left)
}

func (t *tab) placeBelow(ctx context.Context, around *page.FrameTree, left *int) error {
	for _, child := range around.ChildFrames {
		if *left--; *left < 0 {
			return nil
		}
		if err := t.placeBelow(ctx, child, left); err != nil {
			return err
		}
		if child.Frame.SecurityOrigin == around.Frame.SecurityOrigin {
			continue // page.js sees it
		}
		if err := t.placeFrame(ctx, child.Frame.ID, around.Frame.ID); err != nil && ctx.Err() != nil {
			return t.explain(ctx, err)
		}
	}
	return nil
}

// placeFrame writes one frame and hands it over.
func (t *tab) placeFrame(ctx context.Context, frame, around cdp.FrameID) error {
	inside, err := t.worldOf(ctx, frame)
	if err != nil {
		return err
	}
	written, err := call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: pageScript + "trawl.body()", ContextID: inside, ReturnByValue: new(true), Silent: new(true),
	})
	if err != nil {
		return err
	}
	if written.ExceptionDetails != nil {
		return fmt.Errorf("write frame: %s", exceptionText(written.ExceptionDetails))
	}
	outside, err := t.worldOf(ctx, around)
	if err != nil {
		return err
	}
	owner, err := call(ctx, t.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: frame})
	if err != nil {
		return err
	}
	element, err := call(ctx, t.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: owner.BackendNodeID, ExecutionContextID: outside,
	})
	if err != nil {
		return err
	}
	return do(ctx, t.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(text) {" + pageScript + "; trawl.place(this, text) }",
		ObjectID:            element.Object.ObjectID,
		Arguments:           []*runtime.CallArgument{{Value: written.Result.Value}},
		Silent:              new(true),
	})
}

func (t *tab) worldOf(ctx context.Context, frame cdp.FrameID) (runtime.ExecutionContextID, error) {
	made, err := call(ctx, t.session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: frame, WorldName: worldName,
	})
	return made.ExecutionContextID, err
}
