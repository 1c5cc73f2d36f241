using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Connections;

[Collection("alone")]
public sealed class OutputPumpTests : IByteTransport, IPumpOwner
{
    private readonly Lock _lock = new();
    private readonly List<byte[]> _sent = [];
    private readonly List<Exception> _broken = [];
    private readonly OutputPump _pump;
    private TaskCompletionSource? _blocked;
    private Exception? _refusal;
    private int _empty;
    private bool _isAtItsEnd;

    public OutputPumpTests() => _pump = new OutputPump(this, _lock, this, keptBytes: 1024);

    [Fact]
    public void Pump_sends_gathered_frames_once_and_goes_idle()
    {
        Add(1, 2);
        Assert.True(Wakes());
        Assert.False(Wakes());
        _pump.Run();
        Assert.Equal([[1, 2]], _sent);
        Assert.Equal((1, false, 1), (_pump.Taken, _pump.IsAwake, _empty));
        Assert.True(_pump.Frames.IsEmpty);
    }

    [Fact]
    public async Task Frames_added_during_a_send_are_combined_in_next_send()
    {
        _blocked = new TaskCompletionSource();
        Add(1);
        Assert.True(Wakes());
        _pump.Run();
        Assert.NotEqual(0, _pump.SendingSinceMs);
        Add(2);
        Assert.False(Wakes());
        Add(3);
        _blocked.SetResult();
        await AsleepAsync();
        Assert.Equal([[1], [2, 3]], _sent);
        Assert.Equal(0, _pump.SendingSinceMs);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Failed_send_is_reported_once_and_stops_sending(bool atOnce)
    {
        _refusal = atOnce ? new InvalidOperationException() : null;
        _blocked = new TaskCompletionSource();
        Add(1);
        Assert.True(Wakes());
        _pump.Run();
        _blocked.TrySetException(new IOException());
        await AsleepAsync();
        Assert.IsType(atOnce ? typeof(InvalidOperationException) : typeof(IOException), Assert.Single(_broken));
        Add(2);
        Assert.False(Wakes());
        Assert.Equal(atOnce ? 0 : 1, _sent.Count);
    }

    [Fact]
    public async Task Disposed_pump_returns_buffers_after_pending_send_ends()
    {
        long before = LargeBlocks.Taken;
        using OutputPump pump = new(this, _lock, this, keptBytes: 256 * 1024);
        _blocked = new TaskCompletionSource();
        pump.Frames.Add([1]);
        Assert.True(pump.TryWake());
        pump.Run();
        pump.Dispose();
        Assert.True(LargeBlocks.Taken > before);
        _blocked.SetResult();
        await Until(() => !pump.IsAwake);
        Assert.Equal(before, LargeBlocks.Taken);
        Assert.False(pump.TryWake());
    }

    [Fact]
    public void IsLate_is_true_at_second_check_of_queued_pump()
    {
        Assert.False(_pump.IsLate());
        Add(1);
        Assert.True(Wakes());
        Assert.True(_pump.IsQueued);
        Assert.False(_pump.IsLate());
        Assert.True(_pump.IsLate());
        _pump.Run();
        Assert.False(_pump.IsQueued);
        Add(2);
        Assert.True(Wakes());
        Assert.False(_pump.IsLate());
    }

    [Fact]
    public async Task Concurrent_pump_runs_send_each_frame_once()
    {
        _blocked = new TaskCompletionSource();
        Add(1);
        Assert.True(Wakes());
        _pump.Run();
        Add(2);
        _pump.Run();
        ((IThreadPoolWorkItem)_pump).Execute();
        lock (_lock)
        {
            _pump.Rest();
        }

        Assert.True(_pump.IsAwake);
        Assert.Equal([[1]], _sent);
        _blocked.SetResult();
        await AsleepAsync();
        Assert.Equal([[1], [2]], _sent);
        Add(3);
        _pump.Run();
        Assert.Equal(2, _sent.Count);
        Assert.True(Wakes());
        _pump.Run();
        Assert.Equal([3], _sent[^1]);
    }

    [Fact]
    public void Pump_sends_nothing_after_its_owner_has_ended()
    {
        Add(1);
        _isAtItsEnd = true;
        Assert.True(Wakes());
        _pump.Run();
        Assert.Empty(_sent);
        Assert.False(_pump.IsAwake);
    }

    bool IPumpOwner.Gather() => !_isAtItsEnd;

    void IPumpOwner.OnTaken() => Assert.True(_lock.IsHeldByCurrentThread);

    void IPumpOwner.OnEmpty() => _empty++;

    void IPumpOwner.OnBroken(Exception error)
    {
        _broken.Add(error);
        lock (_lock)
        {
            _pump.Stop();
        }
    }

    ValueTask IByteTransport.SendAsync(ReadOnlyMemory<byte> bytes)
    {
        if (_refusal is { } refusal)
        {
            throw refusal;
        }

        _sent.Add(bytes.ToArray());
        return _blocked is { Task.IsCompleted: false } blocked ? new ValueTask(blocked.Task) : default;
    }

    ValueTask<int> IByteTransport.ReceiveAsync(Memory<byte> buffer) => throw new NotSupportedException();

    ValueTask IByteTransport.CompleteAsync() => throw new NotSupportedException();

    void IByteTransport.Abort() => throw new NotSupportedException();

    public void Dispose() => _pump.Dispose();

    private void Add(params ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            _pump.Frames.Add(bytes);
        }
    }

    private bool Wakes()
    {
        lock (_lock)
        {
            return _pump.TryWake();
        }
    }

    private Task AsleepAsync() => Until(() => !_pump.IsAwake);

    private static Task Until(Func<bool> isSo) => Task.Run(() => SpinWait.SpinUntil(isSo)).WaitAsync(TestCalls.Patience);
}
