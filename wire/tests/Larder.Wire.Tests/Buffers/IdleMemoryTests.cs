namespace Larder.Wire.Tests.Buffers;

/// <summary>Tests when garbage collections are requested, and of which kind. B means blocking, C means concurrent.</summary>
public sealed class IdleMemoryTests
{
    private readonly HeldClock _time = new();
    private readonly IdleMemory _memory;
    private TimeSpan _takes = TimeSpan.FromMilliseconds(2);
    private string _collections = "";

    public IdleMemoryTests() => _memory = new IdleMemory(_time, isBlocking =>
    {
        _collections += isBlocking ? "B" : "C";
        _time.Advance(_takes);
    });

    [Theory]
    [InlineData(IdleMemory.TooMuchBytes - 1, "")]
    [InlineData(IdleMemory.TooMuchBytes, "C")]
    [InlineData(IdleMemory.TooMuchBytes * 10, "C")]
    [InlineData(-1, "")]
    public void Large_amount_of_garbage_triggers_concurrent_collection(long bytes, string collections)
    {
        Drop(bytes);
        Assert.Equal(collections, _collections);
    }

    [Theory]
    [InlineData(IdleMemory.MuchBytes - 1, "")]
    [InlineData(IdleMemory.MuchBytes, "B")]
    public void Idle_period_triggers_blocking_collection_of_much_garbage(long bytes, string collections)
    {
        Drop(bytes);
        Tick();
        Tick();
        Tick();
        Assert.Equal(collections, _collections);
    }

    [Fact]
    public void Garbage_between_ticks_delays_blocking_collection()
    {
        for (int tick = 0; tick < 5; tick++)
        {
            Drop(IdleMemory.MuchBytes / 2);
            Tick();
        }

        Assert.Equal("", _collections);
        Tick();
        Assert.Equal("B", _collections);
    }

    [Fact]
    public void Minimum_pause_separates_concurrent_collections()
    {
        Drop(IdleMemory.TooMuchBytes);
        _time.Advance(IdleMemory.BackgroundPause - _takes - TimeSpan.FromMilliseconds(1));
        Drop(IdleMemory.TooMuchBytes);
        Assert.Equal("C", _collections);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Drop(1);
        Assert.Equal("CC", _collections);
    }

    [Fact]
    public void Idle_period_after_concurrent_collection_triggers_blocking_collection()
    {
        Drop(IdleMemory.TooMuchBytes);
        Tick();
        Tick();
        Assert.Equal("CB", _collections);
        Tick();
        Tick();
        Assert.Equal("CB", _collections);
    }

    [Theory]
    [InlineData(0, 3_000)]
    [InlineData(1, 5_000)]
    [InlineData(50, 250_000)]
    public void Blocking_collections_use_a_small_share_of_time(int takesMs, int pauseMs)
    {
        _takes = TimeSpan.FromMilliseconds(takesMs);
        Drop(IdleMemory.MuchBytes);
        Tick();
        Tick();
        Assert.Equal("B", _collections);
        Drop(IdleMemory.MuchBytes);
        Tick();
        _time.Advance(TimeSpan.FromMilliseconds(pauseMs - 1));
        Tick();
        Assert.Equal("B", _collections);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Tick();
        Assert.Equal("BB", _collections);
    }

    [Fact]
    public void IdleMemory_OfProcess_collects_garbage()
    {
        WeakReference garbage = NewGarbage();
        // If buffers of other tests have just been collected, the next collection is delayed. So the test drops buffers until the collection has happened.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                IdleMemory.OfProcess.Dropped(IdleMemory.TooMuchBytes);
                return !garbage.IsAlive;
            },
            TestCalls.Patience));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference NewGarbage() => new(new byte[200_000]);

    private void Drop(long bytes)
    {
        _memory.Dropped(bytes);
        Settle();
    }

    private void Tick()
    {
        _memory.GiveBack();
        Settle();
    }

    private void Settle() => Assert.True(SpinWait.SpinUntil(() => !_memory.IsCollecting, TestCalls.Patience));

    private sealed class HeldClock : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Volatile.Read(ref _ticks);

        public void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
    }
}
