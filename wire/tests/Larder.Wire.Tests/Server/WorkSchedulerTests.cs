using System.Collections.Concurrent;

namespace Larder.Wire.Tests.Server;

/// <summary>Tests which work gets a worker, and when. There is one slot. The length of a slice is zero unless a test sets another length.</summary>
public sealed class WorkSchedulerTests
{
    private readonly WorkScheduler _scheduler = new(slots: 1, TimeSpan.Zero, TimeProvider.System);
    private readonly ConcurrentQueue<string> _log = new();

    [Fact]
    public void Groups_get_equal_turns_regardless_of_connections()
    {
        WorkGroup many = new();
        using Gate gate = Occupy();
        Add(NewShare(many), "a1", steps: 1);
        Add(NewShare(many), "a2", steps: 1);
        Add(NewShare(many), "a3", steps: 1);
        Add(NewShare(many), "a4", steps: 1);
        WorkShare single = new();
        Add(single, "b1", steps: 1);
        Add(single, "b2", steps: 1);
        Assert.Equal(["a", "b"], Run(gate, 6).Take(2).Select(name => name[..1]).Order());
    }

    [Fact]
    public void Long_work_yields_between_its_steps()
    {
        using Gate gate = Occupy();
        Add(new WorkShare(), "long", steps: 4);
        Add(new WorkShare(), "short", steps: 1);
        string[] log = Run(gate, 5);
        Assert.Equal("long", log[^1]);
        Assert.Contains("short", log[..3]);
    }

    [Fact]
    public void Long_work_keeps_its_slot_until_its_slice_ends()
    {
        WorkScheduler scheduler = new(slots: 1, TimeSpan.FromHours(1), TimeProvider.System);
        using Gate gate = new();
        scheduler.Add(new WorkShare(), gate);
        gate.Begun.Wait(TestCalls.Patience);
        scheduler.Add(new WorkShare(), new Work(this, "long", 3));
        scheduler.Add(new WorkShare(), new Work(this, "short", 1));
        Assert.Equal(["long", "long", "long", "short"], Run(gate, 4));
    }

    [Fact]
    public void Connection_runs_at_most_four_items_at_once()
    {
        WorkScheduler scheduler = new(slots: 100, TimeSpan.Zero, TimeProvider.System);
        WorkShare share = new();
        using Gates gates = new(10 * WorkScheduler.MaxStartedPerShare);
        gates.AddTo(scheduler, () => share);
        gates.AwaitBegun(WorkScheduler.MaxStartedPerShare);
        scheduler.Add(new WorkShare(), new Work(this, "other", 1));
        // The test waits for both conditions, because the other item leaves the scheduler shortly after it has logged.
        Await(() => _log.Count == 1 && scheduler.Started == WorkScheduler.MaxStartedPerShare);
        gates.Open();
        Await(() => scheduler.Started == 0 && gates.Begun == 10 * WorkScheduler.MaxStartedPerShare);
    }

    [Fact]
    public void Group_runs_at_most_eight_items_at_once()
    {
        WorkScheduler scheduler = new(slots: 100, TimeSpan.Zero, TimeProvider.System);
        WorkGroup group = new();
        using Gates gates = new(10 * WorkScheduler.MaxStartedPerGroup);
        gates.AddTo(scheduler, () => NewShare(group));
        gates.AwaitBegun(WorkScheduler.MaxStartedPerGroup);
        scheduler.Add(new WorkShare(), new Work(this, "other", 1));
        // The test waits for both conditions, because the other item leaves the scheduler shortly after it has logged.
        Await(() => _log.Count == 1 && scheduler.Started == WorkScheduler.MaxStartedPerGroup);
        gates.Open();
        Await(() => scheduler.Started == 0 && gates.Begun == 10 * WorkScheduler.MaxStartedPerGroup);
    }

    [Fact]
    public void Scheduler_runs_no_more_items_than_its_limit()
    {
        WorkScheduler scheduler = new(slots: 1_000, TimeSpan.Zero, TimeProvider.System);
        using Gates gates = new(2 * WorkScheduler.MaxStarted);
        gates.AddTo(scheduler, static () => new WorkShare());
        gates.AwaitBegun(WorkScheduler.MaxStarted);
        Assert.Equal(WorkScheduler.MaxStarted, scheduler.Started);
        gates.Open();
        Await(() => scheduler.Started == 0 && gates.Begun == 2 * WorkScheduler.MaxStarted);
    }

    [Fact]
    public void Sleeping_work_lets_other_work_run()
    {
        using ManualResetEventSlim done = new();
        _scheduler.Add(new WorkShare(), new Sleeper(() => done.IsSet, () => _log.Enqueue("waiter")));
        _scheduler.Add(new WorkShare(), new Sleeper(static () => true, done.Set));
        Await(() => _log.Count == 1);
    }

    [Fact]
    public async Task Yield_resumes_caller_on_worker_thread()
    {
        WorkYield next = new(_scheduler, new WorkShare());
        for (int i = 0; i < 3; i++)
        {
            await next;
            Assert.NotNull(WorkThread.Current);
        }
    }

    [Fact]
    public async Task Yield_does_not_wait_for_long_work_of_its_connection()
    {
        WorkScheduler scheduler = new(slots: 100, TimeSpan.Zero, TimeProvider.System);
        WorkShare share = new();
        using Gates gates = new(10 * WorkScheduler.MaxStartedPerShare);
        gates.AddTo(scheduler, () => share);
        gates.AwaitBegun(WorkScheduler.MaxStartedPerShare);
        await new WorkYield(scheduler, share);

        // This runs outside the worker, so that the worker can end.
        await Task.Run(() =>
        {
            gates.Open();
            Await(() => scheduler.Started == 0 && gates.Begun == 10 * WorkScheduler.MaxStartedPerShare);
        });
    }

    [Fact]
    public void Join_changes_group_only_when_connection_has_no_work()
    {
        WorkGroup group = new();
        WorkShare share = new();
        WorkGroup own = share.Group;
        using Gate gate = new();
        _scheduler.Add(share, gate);
        gate.Begun.Wait(TestCalls.Patience);
        _scheduler.Join(share, group);
        Assert.Same(own, share.Group);
        gate.Open.Set();
        Await(() => _scheduler.Started == 0);
        _scheduler.Join(share, group);
        Assert.Same(group, share.Group);
    }

    [Fact]
    public void Idle_threads_exit_and_later_work_starts_new_ones()
    {
        WorkScheduler scheduler = new(slots: 2, TimeSpan.Zero, TimeProvider.System) { IdleTime = TimeSpan.FromMilliseconds(1) };
        for (int i = 1; i <= 3; i++)
        {
            using Gate first = new(), second = new();
            scheduler.Add(new WorkShare(), first);
            scheduler.Add(new WorkShare(), second);
            Assert.True(first.Begun.Wait(TestCalls.Patience) && second.Begun.Wait(TestCalls.Patience));
            first.Open.Set();
            second.Open.Set();
            Await(() => scheduler is { Started: 0, IdleThreads: 0 });
        }
    }

    [Fact]
    public void Idle_thread_is_reused_within_its_idle_time()
    {
        ConcurrentDictionary<int, bool> threads = new();
        for (int i = 1; i <= 10; i++)
        {
            _scheduler.Add(new WorkShare(), new Sleeper(static () => true, () => threads[Environment.CurrentManagedThreadId] = true));
            Await(() => _scheduler is { Started: 0, IdleThreads: 1 });
        }

        Assert.Single(threads);
    }

    private static void Await(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, TestCalls.Patience));

    private WorkShare NewShare(WorkGroup group)
    {
        WorkShare share = new();
        _scheduler.Join(share, group);
        return share;
    }

    private void Add(WorkShare share, string name, int steps) => _scheduler.Add(share, new Work(this, name, steps));

    // Occupies the only slot until the gate opens, so that all items added in the meantime are queued.
    private Gate Occupy()
    {
        Gate gate = new();
        _scheduler.Add(new WorkShare(), gate);
        Assert.True(gate.Begun.Wait(TestCalls.Patience));
        return gate;
    }

    private string[] Run(Gate gate, int count)
    {
        gate.Open.Set();
        Await(() => _log.Count == count);
        return [.. _log];
    }

    private sealed class Work(WorkSchedulerTests test, string name, int steps) : IWorkItem
    {
        public void Run()
        {
            for (int i = 0; i < steps; i++)
            {
                test._log.Enqueue(name);
                WorkThread.Current!.Yield();
            }
        }
    }

    private sealed class Sleeper(Func<bool> isReady, Action then) : IWorkItem
    {
        public void Run()
        {
            while (!isReady())
            {
                WorkThread.Current!.Sleep(0);
            }

            then();
        }
    }

    private sealed class Gate : IWorkItem, IDisposable
    {
        public ManualResetEventSlim Begun { get; } = new();

        public ManualResetEventSlim Open { get; } = new();

        public void Run()
        {
            Begun.Set();
            Open.Wait(TestCalls.Patience);
        }

        // The item may still wait when a test fails. If the event were disposed, the wait would throw, and this would end the process.
        public void Dispose() => Open.Set();
    }

    private sealed class Gates(int count) : IWorkItem, IDisposable
    {
        private readonly ManualResetEventSlim _open = new();
        private int _begun;

        public int Begun => Volatile.Read(ref _begun);

        public void AddTo(WorkScheduler scheduler, Func<WorkShare> share)
        {
            for (int i = 0; i < count; i++)
            {
                scheduler.Add(share(), this);
            }
        }

        public void AwaitBegun(int begun) => Await(() => Begun == begun);

        public void Open() => _open.Set();

        public void Run()
        {
            Interlocked.Increment(ref _begun);
            _open.Wait(TestCalls.Patience);
        }

        // Items may still wait or start when a test fails. If the event were disposed, the wait would throw, and this would end the process.
        public void Dispose() => _open.Set();
    }
}
