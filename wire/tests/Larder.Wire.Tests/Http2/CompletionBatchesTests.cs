using Larder.Harness.Clocks;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class CompletionBatchesTests : IDisposable
{
    private readonly CompletionBatches _batches = new(new ManualTime());

    public void Dispose() => _batches.Dispose();

    [Fact]
    public void Fast_batches_run_on_reactor_thread()
    {
        for (int batch = 0; batch < 100; batch++)
        {
            Assert.True(_batches.MayRunHere());
            _batches.OnRunsHere();
        }
    }

    [Fact]
    public void Repeated_slow_batches_double_number_of_pool_turns_each_time()
    {
        foreach (int expected in (int[])[16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096])
        {
            Assert.Equal(expected, PoolTurnsAfterSlow());
        }
    }

    [Fact]
    public void Fast_batch_resets_pool_turns_to_16()
    {
        Assert.Equal(16, PoolTurnsAfterSlow());
        Assert.Equal(32, PoolTurnsAfterSlow());
        _batches.OnRunsHere();
        Assert.True(_batches.MayRunHere());
        Assert.Equal(16, PoolTurnsAfterSlow());
    }

    [Fact]
    public void Blocked_caller_keeps_batches_off_reactor_for_one_second()
    {
        ManualTime time = new();
        using CompletionBatches batches = new(time);
        batches.OnStalled();
        Assert.False(batches.MayRunHere());
        time.Advance(TimeSpan.FromSeconds(1.01));
        Assert.True(batches.MayRunHere());
    }

    // Reports a slow batch on the reactor's thread. Returns how many batches run on the pool before a batch may run on the reactor's thread again.
    private int PoolTurnsAfterSlow()
    {
        _batches.OnRunsHere();
        _batches.OnSlow();
        int turns = 0;
        while (!_batches.MayRunHere())
        {
            turns++;
        }

        return turns;
    }
}
