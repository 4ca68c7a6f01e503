package browser

import (
	"context"
	"sync/atomic"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"golang.org/x/sync/errgroup"
)

// unseal finds the closed shadow trees among the elements page.js suspects and
// hands them to it. It reports whether there was any.
func (t *tab) unseal(ctx context.Context, suspects int) (bool, error) {
	if suspects == 0 {
		return false, nil
	}
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	world, err := t.ourWorld(ctx)
	if err != nil {
		return false, t.explain(ctx, err)
	}
	hosts, err := t.elements(ctx, world.id, "trawl.suspects()")
	if err != nil {
		return false, t.explain(ctx, err)
	}
	var found atomic.Bool
	group, ctx := errgroup.WithContext(ctx)
	for _, host := range hosts { // they travel together: most are innocent
		group.Go(func() error {
			has, err := t.unsealOne(ctx, world.id, host)
			if has {
				found.Store(true)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return false, t.explain(ctx, err)
	}
	return found.Load(), nil
}

// elements evaluates a list of elements and gives a handle of each.
func (t *tab) elements(ctx context.Context, world runtime.ExecutionContextID, list string) ([]runtime.RemoteObjectID, error) {
	made, err := call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: list, ContextID: world, Silent: new(true),
	})
	if err != nil || made.Result.ObjectID == "" {
		return nil, err
	}
	properties, err := call(ctx, t.session, runtime.GetProperties, runtime.GetPropertiesParams{
		ObjectID: made.Result.ObjectID, OwnProperties: new(true),
	})
	if err != nil {
		return nil, err
	}
	var handles []runtime.RemoteObjectID
	for _, p := range properties.Result {
		if p.Value != nil && p.Value.ObjectID != "" && p.Enumerable {
			handles = append(handles, p.Value.ObjectID)
		}
	}
	return handles, nil
}

// unsealOne looks at one suspect, and hands over its tree if it has one.
func (t *tab) unsealOne(ctx context.Context, world runtime.ExecutionContextID, host runtime.RemoteObjectID) (bool, error) {
	described, err := call(ctx, t.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host})
	if err != nil || len(described.Node.ShadowRoots) == 0 {
		return false, err
	}
	root, err := call(ctx, t.session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: described.Node.ShadowRoots[0].BackendNodeID, ExecutionContextID: world,
	})
	if err != nil {
		return false, err
	}
	return true, do(ctx, t.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(root) { trawl.unseal(this, root) }",
		ObjectID:            host,
		Arguments:           []*runtime.CallArgument{{ObjectID: root.Object.ObjectID}},
		Silent:              new(true),
	})
}
