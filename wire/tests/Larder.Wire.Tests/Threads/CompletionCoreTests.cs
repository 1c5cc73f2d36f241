using System.Threading.Tasks.Sources;
using Larder.Wire.Threads;

namespace Larder.Wire.Tests.Threads;

public sealed class CompletionCoreTests
{
    private CompletionCore<int> _core;
    private int _continued;

    [Fact]
    public void Registered_continuation_runs_when_result_is_set()
    {
        Assert.False(Register());
        Assert.Equal((0, ValueTaskSourceStatus.Pending), (_continued, _core.GetStatus(_core.Version)));
        _core.SetResult(7);
        Assert.Equal((1, ValueTaskSourceStatus.Succeeded), (_continued, _core.GetStatus(_core.Version)));
        Assert.Equal(7, _core.GetResult(_core.Version));
    }

    [Fact]
    public void Register_after_result_does_not_run_the_continuation()
    {
        _core.SetResult(7);
        Assert.True(Register());
        Assert.Equal(0, _continued);
        _core.Continue();
        Assert.Equal(1, _continued);
    }

    [Fact]
    public void GetResult_throws_stored_exception_without_registered_continuation()
    {
        _core.SetException(new IOException("lost"));
        Assert.Equal(ValueTaskSourceStatus.Faulted, _core.GetStatus(_core.Version));
        Assert.Equal("lost", Assert.Throws<IOException>(() => _core.GetResult(_core.Version)).Message);
        short before = _core.Version;
        _core.Reset();
        Assert.Throws<InvalidOperationException>(() => _core.GetStatus(before));
        Assert.Throws<InvalidOperationException>(() => _core.GetResult(_core.Version));
        _core.SetResult(1);
        Assert.Throws<InvalidOperationException>(() => _core.SetResult(2));
    }

    [Fact]
    public void Result_stays_Pending_until_hold_is_released()
    {
        _core.Hold();
        _core.SetResult(7);
        Assert.Equal(ValueTaskSourceStatus.Pending, _core.GetStatus(_core.Version));
        Assert.False(Register());
        Assert.Equal(0, _continued);
        _core.Release();
        Assert.Equal((1, 7), (_continued, _core.GetResult(_core.Version)));
        _core.Reset();
        _core.Hold();
        Assert.False(Register());
        _core.Release();
        Assert.Equal(1, _continued);
        _core.SetResult(8);
        Assert.Equal((2, 8), (_continued, _core.GetResult(_core.Version)));
    }

    // Two threads race. The second thread sees the change of the first thread, and the continuation runs exactly once.
    [TimedFact]
    public async Task Concurrent_register_and_complete_run_continuation_once()
    {
        using Barrier barrier = new(2);
        for (int round = 1; round <= 20_000; round++)
        {
            if (round == 1)
            {
                _ = Task.Run(() =>
                {
                    for (int times = 0; times < 20_000; times++)
                    {
                        barrier.SignalAndWait();
                        _core.SetResult(times);
                        barrier.SignalAndWait();
                    }
                });
            }

            barrier.SignalAndWait();
            if (Register())
            {
                _core.Continue();
            }

            barrier.SignalAndWait();
            Assert.Equal((round, round - 1), (Volatile.Read(ref _continued), _core.GetResult(_core.Version)));
            _core.Reset();
        }

        await Task.CompletedTask;
    }

    private bool Register() => _core.OnCompleted(
        static tests => Interlocked.Increment(ref ((CompletionCoreTests)tests!)._continued), this, _core.Version, ValueTaskSourceOnCompletedFlags.None);
}
