package browser

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

// execute runs a script of the caller in the page itself, where it sees the
// page's own variables. Its value is that of its last expression, or what it
// returns; a promise is waited for.
func (t *tab) execute(ctx context.Context, script string) (JavascriptReturn, error) {
	got, err := t.run(ctx, script)
	if err == nil && isFunctionBody(got.ExceptionDetails) {
		got, err = t.run(ctx, "(async () => {\n"+script+"\n})()")
	}
	if err != nil {
		return JavascriptReturn{}, err
	}
	if got.ExceptionDetails != nil {
		return JavascriptReturn{}, actionFailure{"SCRIPT_ERROR", exceptionText(got.ExceptionDetails)}
	}
	return valueOf(got.Result), nil
}

// isFunctionBody reports whether a script failed because it was written as the
// body of a function: with return, or with await.
func isFunctionBody(e *runtime.ExceptionDetails) bool {
	if e == nil {
		return false
	}
	text := exceptionText(e)
	return strings.Contains(text, "Illegal return") || strings.Contains(text, "await is only valid")
}

func (t *tab) run(ctx context.Context, script string) (runtime.EvaluateResult, error) {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	got, err := call(ctx, t.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ReturnByValue: new(true), AwaitPromise: new(true),
		UserGesture: new(true), AllowUnsafeEvalBlockedByCSP: new(true),
	})
	if err == nil {
		return got, nil
	}
	err = t.explain(ctx, err)
	if _, moved := err.(errPageMoved); moved {
		// The script sent the page elsewhere: that was its effect, and it has no value.
		return runtime.EvaluateResult{Result: &runtime.RemoteObject{Type: runtime.RemoteObjectTypeUndefined}}, nil
	}
	if strings.Contains(err.Error(), "reference chain") || strings.Contains(err.Error(), "couldn't be returned by value") {
		return got, actionFailure{"SCRIPT_ERROR", "the value cannot be written as JSON"}
	}
	return got, err
}

// valueOf reads the value and the name JavaScript has for its type.
func valueOf(object *runtime.RemoteObject) JavascriptReturn {
	result := JavascriptReturn{Type: string(object.Type), Value: json.RawMessage("null")}
	switch {
	case object.UnserializableValue != "": // NaN, Infinity, -0, 12n
		if quoted, err := json.Marshal(string(object.UnserializableValue)); err == nil {
			result.Value = quoted
		}
	case len(object.Value) > 0 && object.Type != runtime.RemoteObjectTypeFunction:
		result.Value = json.RawMessage(object.Value)
	}
	return result
}
