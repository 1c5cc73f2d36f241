using Larder.Harness.Clocks;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

public sealed class CompletionBatchesTests : IDisposable
{
    private readonly CompletionBatches _batches = new(new ManualTime());

    public void Dispose() => _batches.Dispose();

    [Fact]
    public void Batches_run_on_the_reactors_thread_while_their_callers_are_quick()
    {
        for (int batch = 0; batch < 100; batch++)
        {
            Assert.True(_batches.MayRunHere());
            _batches.OnRunsHere();
        }
    }

    [Fact]
    public void After_a_slow_batch_16_go_to_the_pool_and_twice_as_many_each_time_the_one_tried_is_slow_again()
    {
        foreach (int expected in (int[])[16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096])
        {
            Assert.Equal(expected, PoolTurnsAfterSlow());
        }
    }

    [Fact]
    public void One_quick_batch_and_the_next_slow_one_costs_16_again()
    {
        Assert.Equal(16, PoolTurnsAfterSlow());
        Assert.Equal(32, PoolTurnsAfterSlow());
        _batches.OnRunsHere();
        Assert.True(_batches.MayRunHere());
        Assert.Equal(16, PoolTurnsAfterSlow());
    }

    [Fact]
    public void After_a_caller_that_blocked_none_runs_there_for_a_second()
    {
        ManualTime time = new();
        using CompletionBatches batches = new(time);
        batches.OnStalled();
        Assert.False(batches.MayRunHere());
        time.Advance(TimeSpan.FromSeconds(1.01));
        Assert.True(batches.MayRunHere());
    }

    // Reports a slow batch on the reactor's thread. Returns how many batches go to the pool before one may run on the reactor's thread again.
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
