package job

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

// The test binary is its own victim: started with this variable it is a worker
// on the database described there, until it is killed.
const victimVariable = "TRAWL_TEST_KILL_WORKER"

// roundsVariable asks for more rounds than the few of an ordinary run.
const roundsVariable = "TRAWL_TEST_KILL_ROUNDS"

const (
	killJobs  = 200
	killLease = 600 * time.Millisecond // short, so that a round takes seconds
)

func TestMain(m *testing.M) {
	if address := os.Getenv(victimVariable); address != "" {
		if err := beVictim(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// beVictim works on jobs until the end of its input, which is also how it
// learns that the test itself has died.
func beVictim(options string) error {
	var opt store.Options
	if err := json.Unmarshal([]byte(options), &opt); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, err := store.Open(ctx, opt)
	if err != nil {
		return err
	}
	q := New(Options{Store: s, Log: quiet(), Bulk: 8, Lease: killLease, Poll: 50 * time.Millisecond})
	q.Handle("victim", Handler{Work: func(ctx context.Context, j *trawl.Job) (any, error) {
		select {
		case <-time.After(time.Duration(rand.IntN(40)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return j.ID, nil
	}})
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		cancel()
	}()
	return q.Run(ctx)
}

func TestKilledWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	rounds := 3
	if text := os.Getenv(roundsVariable); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", roundsVariable, err)
		}
	}
	for _, tc := range []struct {
		name    string
		workers int
		options func(testing.TB) store.Options
		count   string // what makes the database itself count each completion
	}{
		{"sqlite, one worker restarted", 1, storetest.SQLite, `
			CREATE TABLE completions (job_id TEXT NOT NULL);
			CREATE TRIGGER count_completions AFTER UPDATE ON jobs WHEN new.state = 'completed'
			BEGIN INSERT INTO completions (job_id) VALUES (new.id); END`},
		{"postgres, two workers", 2, storetest.Postgres, `
			CREATE TABLE completions (job_id TEXT NOT NULL);
			CREATE FUNCTION count_completion() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN INSERT INTO completions (job_id) VALUES (new.id); RETURN NULL; END $$;
			CREATE TRIGGER count_completions AFTER UPDATE ON jobs FOR EACH ROW WHEN (new.state = 'completed')
			EXECUTE FUNCTION count_completion()`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opt := tc.options(t)
			s := storetest.Open(t, opt)
			db := sideDoor(t, opt)
			if _, err := db.Exec(tc.count); err != nil {
				t.Fatal(err)
			}
			for round := range rounds {
				killRound(t, s, opt, tc.workers)
				everyJobCompletedOnce(t, db, (round+1)*killJobs)
				if t.Failed() {
					t.Fatalf("in round %d", round+1)
				}
			}
		})
	}
}

// killRound enqueues jobs and kills workers at random moments until all jobs have ended.
func killRound(t *testing.T, s *store.Store, opt store.Options, workers int) {
	t.Helper()
	q := New(Options{Store: s})
	specs := make([]Spec, killJobs)
	for i := range specs {
		specs[i] = Spec{TeamID: fmt.Sprint("team", i%5), Kind: "victim"}
	}
	enqueue(t, q, specs...)

	victims := make([]*victim, workers)
	for i := range victims {
		victims[i] = startVictim(t, opt)
	}
	kills, deadline := 0, time.Now().Add(time.Minute)
	for live(t, s) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs have not ended after %d kills", live(t, s), kills)
		}
		time.Sleep(time.Duration(50+rand.IntN(250)) * time.Millisecond) // the moment of a kill is the point of the test
		if kills < 5 && live(t, s) > 0 {
			i := kills % workers
			victims[i].kill(t)
			victims[i] = startVictim(t, opt)
			kills++
		}
	}
	for _, v := range victims {
		v.stop(t)
	}
	if kills == 0 {
		t.Error("all jobs ended before the first kill")
	}
}

func live(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	counts, err := s.JobCounts(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		if !c.State.Final() {
			n += c.Jobs
		}
	}
	return n
}

func everyJobCompletedOnce(t *testing.T, db *sql.DB, want int) {
	t.Helper()
	var jobs, completions, distinct int
	err := db.QueryRow(`SELECT (SELECT COUNT(*) FROM jobs WHERE state = 'completed' AND result = '"' || id || '"'),
		(SELECT COUNT(*) FROM completions), (SELECT COUNT(DISTINCT job_id) FROM completions)`).Scan(&jobs, &completions, &distinct)
	if err != nil {
		t.Fatal(err)
	}
	if jobs != want || completions != want || distinct != want {
		t.Errorf("%d jobs have their result, %d completions of %d jobs were counted, want %d each", jobs, completions, distinct, want)
	}
}

// sideDoor opens the database without the store, to watch it.
func sideDoor(t *testing.T, opt store.Options) *sql.DB {
	t.Helper()
	driver, address := "pgx", opt.DatabaseURL
	if address == "" {
		driver, address = "sqlite", "file:"+filepath.Join(opt.DataDir, "trawl.db")+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// victim is a worker in a process of its own.
type victim struct {
	cmd   *exec.Cmd
	stdin interface{ Close() error }
}

func startVictim(t *testing.T, opt store.Options) *victim {
	t.Helper()
	options, err := json.Marshal(opt)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimVariable+"="+string(options))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // gone already, unless the test failed
		_ = cmd.Wait()
	})
	return &victim{cmd: cmd, stdin: stdin}
}

func (v *victim) kill(t *testing.T) {
	t.Helper()
	if err := v.cmd.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	_ = v.cmd.Wait() // says that it was killed
}

func (v *victim) stop(t *testing.T) {
	t.Helper()
	_ = v.stdin.Close()
	if err := v.cmd.Wait(); err != nil {
		t.Errorf("worker ended with %v", err)
	}
}
