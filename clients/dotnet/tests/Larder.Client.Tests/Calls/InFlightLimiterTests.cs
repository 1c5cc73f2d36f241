using FsCheck;
using FsCheck.Fluent;

namespace Larder.Client.Tests;

public sealed class InFlightLimiterTests
{
    [Fact]
    public void Enter_grants_up_to_the_limit_and_queues_the_next()
    {
        InFlightLimiter limiter = new(2, 10);
        Assert.Equal(Admission.Granted, limiter.Enter(new Waiter()));
        Assert.Equal(Admission.Granted, limiter.Enter(new Waiter()));
        Assert.Equal(Admission.Queued, limiter.Enter(new Waiter()));
        Assert.Equal((2, 1), (limiter.InFlight, limiter.Waiting));
        limiter.AssertValid();
    }

    [Fact]
    public void Exit_passes_the_permit_to_the_longest_waiting_caller()
    {
        InFlightLimiter limiter = new(1, 10);
        limiter.Enter(new Waiter());
        Waiter[] waiters = [.. Enumerable.Range(0, 3).Select(_ => new Waiter())];
        foreach (Waiter waiter in waiters)
        {
            limiter.Enter(waiter);
        }

        limiter.Exit();
        Assert.Equal([1, 0, 0], waiters.Select(waiter => waiter.Grants));
        limiter.Exit();
        Assert.Equal([1, 1, 0], waiters.Select(waiter => waiter.Grants));
        limiter.AssertValid();
    }

    [Fact]
    public void Enter_rejects_a_caller_when_the_queue_is_full()
    {
        InFlightLimiter limiter = new(1, 2);
        limiter.Enter(new Waiter());
        limiter.Enter(new Waiter());
        limiter.Enter(new Waiter());
        Assert.Equal(Admission.Refused, limiter.Enter(new Waiter()));
        Assert.Equal((1, 2), (limiter.InFlight, limiter.Waiting));
        limiter.AssertValid();
    }

    [Fact]
    public void Enter_rejects_a_caller_at_the_limit_without_a_queue()
    {
        InFlightLimiter limiter = new(1, 0);
        limiter.Enter(new Waiter());
        Assert.Equal(Admission.Refused, limiter.Enter(new Waiter()));
    }

    [Fact]
    public void TryLeave_removes_a_waiter_and_frees_its_slot()
    {
        InFlightLimiter limiter = new(1, 2);
        limiter.Enter(new Waiter());
        Waiter first = new();
        Waiter second = new();
        limiter.Enter(first);
        limiter.Enter(second);
        Assert.True(limiter.TryLeave(first));
        Assert.False(limiter.TryLeave(first));
        Assert.Equal(Admission.Queued, limiter.Enter(new Waiter()));
        limiter.Exit();
        Assert.Equal((0, 1), (first.Grants, second.Grants));
        limiter.AssertValid();
    }

    [Fact]
    public void Raised_limit_admits_waiters_and_lowered_limit_keeps_granted_permits()
    {
        InFlightLimiter limiter = new(1, 10);
        limiter.Enter(new Waiter());
        Waiter[] waiters = [.. Enumerable.Range(0, 4).Select(_ => new Waiter())];
        foreach (Waiter waiter in waiters)
        {
            limiter.Enter(waiter);
        }

        limiter.ChangeLimit(3);
        Assert.Equal(2, waiters.Sum(waiter => waiter.Grants));
        limiter.ChangeLimit(1);
        limiter.Exit();
        limiter.Exit();
        Assert.Equal((1, 2), (limiter.InFlight, limiter.Waiting));
        limiter.Exit();
        Assert.Equal((1, 1), (limiter.InFlight, limiter.Waiting));
        limiter.AssertValid();
    }

    [Fact]
    public void Exit_skips_any_number_of_waiters_that_decline()
    {
        InFlightLimiter limiter = new(1, 20_000);
        limiter.Enter(new Waiter());
        for (int waiter = 0; waiter < 19_999; waiter++)
        {
            limiter.Enter(new DecliningWaiter());
        }

        Waiter last = new();
        limiter.Enter(last);
        limiter.Exit();
        Assert.Equal((1, 1, 0), (last.Grants, limiter.InFlight, limiter.Waiting));
        limiter.AssertValid();
    }

    [Fact]
    public void Enter_and_exit_without_a_queue_allocate_nothing()
    {
        InFlightLimiter limiter = new(100, 100);
        Waiter waiter = new();
        limiter.Enter(waiter);
        limiter.Exit();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int call = 0; call < 10_000; call++)
        {
            limiter.Enter(waiter);
            limiter.Exit();
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Limiter_matches_reference_queue_for_random_operations()
    {
        // Each step has one of these kinds: 0 enter, 1 exit, 2 the oldest waiter leaves, 3 the youngest waiter leaves.
        Prop.ForAll(Gen.Choose(0, 3).ListOf().ToArbitrary(), steps => RunAgainstModel([.. steps])).QuickCheckThrowOnFailure();
    }

    [Fact]
    public async Task Concurrent_threads_never_exceed_limit_or_lose_permits()
    {
        const int cap = 4;
        const int threads = 8;
        InFlightLimiter limiter = new(cap, threads);
        int inside = 0;
        int most = 0;
        await Task.WhenAll(Enumerable.Range(0, threads).Select(_ => Task.Run(async () =>
        {
            for (int call = 0; call < 2_000; call++)
            {
                AwaitableWaiter waiter = new();
                if (limiter.Enter(waiter) == Admission.Queued)
                {
                    // Some waiters stop waiting. If a waiter cannot leave, it has already been granted a permit.
                    if (call % 7 == 0 && limiter.TryLeave(waiter))
                    {
                        continue;
                    }

                    await waiter.WhenGranted;
                }

                int now = Interlocked.Increment(ref inside);
                InterlockedMax(ref most, now);
                await Task.Yield();
                Interlocked.Decrement(ref inside);
                limiter.Exit();
            }
        })));
        Assert.InRange(most, 1, cap);
        Assert.Equal((0, 0), (limiter.InFlight, limiter.Waiting));
        limiter.AssertValid();
    }

    private static bool RunAgainstModel(int[] steps)
    {
        InFlightLimiter limiter = new(2, 3);
        int inFlight = 0;
        LinkedList<Waiter> queue = new();
        foreach (int step in steps)
        {
            switch (step)
            {
                case 0:
                    Waiter waiter = new();
                    Admission expected = inFlight < 2 && queue.Count == 0 ? Admission.Granted : queue.Count < 3 ? Admission.Queued : Admission.Refused;
                    Assert.Equal(expected, limiter.Enter(waiter));
                    inFlight += expected == Admission.Granted ? 1 : 0;
                    if (expected == Admission.Queued)
                    {
                        queue.AddLast(waiter);
                    }

                    break;
                case 1 when inFlight > 0:
                    limiter.Exit();
                    if (queue.First is { } head)
                    {
                        Assert.Equal(1, head.Value.Grants);
                        queue.RemoveFirst();
                    }
                    else
                    {
                        inFlight--;
                    }

                    break;
                case 2 or 3 when queue.Count > 0:
                    LinkedListNode<Waiter> leaving = step == 2 ? queue.First! : queue.Last!;
                    Assert.True(limiter.TryLeave(leaving.Value));
                    queue.Remove(leaving);
                    break;
            }

            Assert.Equal((inFlight, queue.Count), (limiter.InFlight, limiter.Waiting));
            limiter.AssertValid();
        }

        return true;
    }

    private static void InterlockedMax(ref int target, int value)
    {
        int seen = Volatile.Read(ref target);
        while (value > seen && Interlocked.CompareExchange(ref target, value, seen) is int current && current != seen)
        {
            seen = current;
        }
    }

    private sealed class Waiter : LimiterWaiter
    {
        public int Grants { get; private set; }

        internal override long WaiterVersion => 1;

        internal override bool TryGrant(long version)
        {
            Grants++;
            return true;
        }
    }

    private sealed class DecliningWaiter : LimiterWaiter
    {
        internal override long WaiterVersion => 1;

        internal override bool TryGrant(long version) => false;
    }

    private sealed class AwaitableWaiter : LimiterWaiter
    {
        private readonly TaskCompletionSource _granted = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task WhenGranted => _granted.Task;

        internal override long WaiterVersion => 1;

        internal override bool TryGrant(long version)
        {
            _granted.SetResult();
            return true;
        }
    }
}
