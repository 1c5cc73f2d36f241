using System.Collections.Concurrent;
using System.Diagnostics;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadArrivalsTests
{
    private const double RatePerSecond = 1000;
    private static readonly long s_gap = (long)(Stopwatch.Frequency / RatePerSecond);
    private static readonly long s_hour = 3600 * Stopwatch.Frequency;

    private readonly ConcurrentQueue<long> _taken = new();

    [Fact]
    public async Task Late_caller_gets_overdue_arrivals_with_their_due_times()
    {
        long start = Stopwatch.GetTimestamp() - s_hour;
        using LoadArrivals arrivals = Uniform(start, start + (5 * s_gap));
        var turn = new Turn(_taken);
        for (int i = 0; i < 5; i++)
        {
            ValueTask<bool> next = arrivals.NextAsync(turn);
            Assert.True(next.IsCompleted);
            Assert.True(await next);
        }

        Assert.False(await arrivals.NextAsync(turn));
        Assert.Equal(Enumerable.Range(0, 5).Select(i => start + (i * s_gap)), _taken);
    }

    [Fact]
    public async Task Each_arrival_is_handed_out_once_in_order()
    {
        const int count = 2000;
        long start = Stopwatch.GetTimestamp();
        using LoadArrivals arrivals = Uniform(start, start + (count * (Stopwatch.Frequency / 100_000)), ratePerSecond: 100_000);
        await Task.WhenAll(Enumerable.Range(0, 300).Select(_ => Task.Run(() => CallAsync(arrivals))));
        Assert.Equal(Enumerable.Range(0, count).Select(i => start + (i * (Stopwatch.Frequency / 100_000))), _taken.Order());
    }

    [Fact]
    public async Task Arrival_never_starts_before_its_due_time()
    {
        long start = Stopwatch.GetTimestamp() + s_gap;
        using LoadArrivals arrivals = Uniform(start, start + (20 * s_gap));
        Turn[] turns = Enumerable.Range(0, 3).Select(_ => new Turn(_taken)).ToArray();
        await Task.WhenAll(turns.Select(turn => CallAsync(arrivals, turn)));
        Assert.Equal(20, _taken.Count);
        Assert.All(turns, turn => Assert.True(turn.Earliest >= 0, $"begun {-turn.Earliest} ticks early"));
    }

    [Fact]
    public async Task DrainUnstarted_counts_due_arrivals_without_caller()
    {
        long start = Stopwatch.GetTimestamp() - s_hour;
        using LoadArrivals arrivals = Uniform(start, start + (100 * s_gap));
        var turn = new Turn(_taken);
        Assert.True(await arrivals.NextAsync(turn));
        Assert.Equal(99, arrivals.DrainUnstarted(Stopwatch.GetTimestamp()));
        Assert.Equal(0, arrivals.DrainUnstarted(Stopwatch.GetTimestamp()));
        Assert.False(await arrivals.NextAsync(turn));
    }

    [Fact]
    public async Task DrainUnstarted_ignores_arrivals_not_due_yet()
    {
        long start = Stopwatch.GetTimestamp() + s_hour;
        using LoadArrivals arrivals = Uniform(start, start + (100 * s_gap));
        Assert.Equal(0, arrivals.DrainUnstarted(Stopwatch.GetTimestamp()));
        Assert.Equal(10, arrivals.DrainUnstarted(start + (9 * s_gap)));
        arrivals.Dispose();
        Assert.False(await arrivals.NextAsync(new Turn(_taken)));
    }

    [Fact]
    public async Task DrainUnstarted_gives_due_arrivals_to_waiting_callers_first()
    {
        long start = Stopwatch.GetTimestamp() + s_hour;
        using LoadArrivals arrivals = Uniform(start, start + (100 * s_gap));
        Task<bool>[] waiting = Enumerable.Range(0, 3).Select(_ => arrivals.NextAsync(new Turn(_taken)).AsTask()).ToArray();
        Assert.Equal(7, arrivals.DrainUnstarted(start + (9 * s_gap)));
        Assert.All(await Task.WhenAll(waiting), Assert.True);
        Assert.Equal([start, start + s_gap, start + (2 * s_gap)], _taken.Order());
    }

    [Fact]
    public async Task End_of_schedule_releases_all_waiting_callers()
    {
        long start = Stopwatch.GetTimestamp();
        using LoadArrivals arrivals = Uniform(start, start + (10 * s_gap));
        await Task.WhenAll(Enumerable.Range(0, 500).Select(_ => CallAsync(arrivals)));
        Assert.Equal(10, _taken.Count);
    }

    [Fact]
    public async Task Dispose_releases_all_waiting_callers_without_arrival()
    {
        long start = Stopwatch.GetTimestamp() + s_hour;
        using LoadArrivals arrivals = Uniform(start, start + s_hour);
        Task<bool>[] waiting = Enumerable.Range(0, 500).Select(_ => arrivals.NextAsync(new Turn(_taken)).AsTask()).ToArray();
        arrivals.Dispose();
        Assert.All(await Task.WhenAll(waiting), Assert.False);
        Assert.Empty(_taken);
        Assert.False(await arrivals.NextAsync(new Turn(_taken)));
    }

    [Fact]
    public async Task Trace_determines_gaps_between_arrivals()
    {
        var trace = LoadTrace.Parse(["10.0,get,a,1", "10.5,get,a,1", "12.0,get,a,1"], ttlMs: 1);
        long start = Stopwatch.GetTimestamp() - s_hour;
        using var arrivals = new LoadArrivals(30, uniform: false, seed: 1, start, start + (Stopwatch.Frequency / 10), trace);
        await CallAsync(arrivals);
        Assert.Equal([0, 0.016667, 0.066667], _taken.Select(due => Math.Round((double)(due - start) / Stopwatch.Frequency, 6)));
    }

    [Fact]
    public async Task Poisson_arrivals_depend_only_on_seed()
    {
        long start = Stopwatch.GetTimestamp() - s_hour;
        long end = start + (500 * s_gap);
        using var alone = new LoadArrivals(RatePerSecond, uniform: false, seed: 7, start, end);
        await CallAsync(alone);
        long[] expected = [.. _taken];
        _taken.Clear();
        using var shared = new LoadArrivals(RatePerSecond, uniform: false, seed: 7, start, end);
        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Task.Run(() => CallAsync(shared))));
        Assert.Equal(expected, _taken.Order());
    }

    [Fact]
    public async Task Waiting_caller_allocates_nothing()
    {
        long start = Stopwatch.GetTimestamp() + s_hour;
        using LoadArrivals arrivals = Uniform(start, start + s_hour);
        var turn = new Turn([]) { Keeps = false };
        await WaitForAllAsync(arrivals, turn, start, count: 100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        ValueTask<bool> next = arrivals.NextAsync(turn);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        arrivals.Dispose();
        Assert.False(await next);
    }

    private static LoadArrivals Uniform(long start, long end, double ratePerSecond = RatePerSecond) => new(ratePerSecond, uniform: true, seed: 1, start, end);

    // Waits for count arrivals one after another. Draining up to the due time of the current arrival completes the wait.
    private static async Task WaitForAllAsync(LoadArrivals arrivals, Turn turn, long start, int count)
    {
        for (int i = 0; i < count; i++)
        {
            ValueTask<bool> next = arrivals.NextAsync(turn);
            Assert.Equal(0, arrivals.DrainUnstarted(start + (i * s_gap)));
            Assert.True(await next);
        }
    }

    [Fact]
    public async Task WasFree_is_true_only_when_a_caller_was_waiting()
    {
        long now = Stopwatch.GetTimestamp();
        // An arrival that was overdue. All callers were busy, so no caller was free when it became due.
        using var late = new LoadArrivals(1_000_000, uniform: true, seed: 1, now - Stopwatch.Frequency, now + Stopwatch.Frequency);
        Turn busy = new(_taken) { Keeps = false };
        Assert.True(await late.NextAsync(busy));
        Assert.False(busy.WasFree);
        // An arrival for which a caller is waiting. If the machine stalls at that moment, the test tries again.
        Turn free = new(_taken) { Keeps = false };
        for (int moment = 0; moment < 100 && !free.WasFree; moment++)
        {
            using var soon = new LoadArrivals(1_000, uniform: true, seed: 1, Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 100), long.MaxValue);
            Assert.True(await soon.NextAsync(free));
        }

        Assert.True(free.WasFree);
    }

    private Task CallAsync(LoadArrivals arrivals) => CallAsync(arrivals, new Turn(_taken));

    private static async Task CallAsync(LoadArrivals arrivals, Turn turn)
    {
        while (await arrivals.NextAsync(turn))
        {
        }
    }

    private sealed class Turn(ConcurrentQueue<long> taken) : LoadTurn
    {
        public bool Keeps { get; init; } = true;

        /// <summary>Gets the shortest time between the due time of an arrival and its start, in ticks.</summary>
        public long Earliest { get; private set; } = long.MaxValue;

        /// <summary>Gets whether a caller was free when the last arrival became due.</summary>
        public bool WasFree { get; private set; }

        public override void Begin(long due, long now, bool wasFree)
        {
            WasFree = wasFree;
            Earliest = Math.Min(Earliest, now - due);
            if (Keeps)
            {
                taken.Enqueue(due);
            }
        }
    }
}
