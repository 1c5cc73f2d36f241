namespace Larder.Server.Tests.Snapshots;

/// <summary>A clock that returns the system time. A test can block callers that read the wall clock. A snapshot reads the wall clock when it begins.</summary>
internal sealed class HeldWallClock : TimeProvider
{
    private volatile TaskCompletionSource? _asked;
    private volatile TaskCompletionSource? _free;

    public override DateTimeOffset GetUtcNow()
    {
        _asked?.TrySetResult();
        Assert.True(_free?.Task.Wait(RunningServer.Patience) ?? true);
        return base.GetUtcNow();
    }

    public void Hold()
    {
        _asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _free = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>Waits until a caller is blocked.</summary>
    public Task AskedAsync() => _asked!.Task.WaitAsync(RunningServer.Patience);

    public void Release() => _free!.TrySetResult();
}
