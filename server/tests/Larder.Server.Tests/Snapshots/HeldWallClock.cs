namespace Larder.Server.Tests.Snapshots;

/// <summary>The system's clock, whose wall time a test can keep back: whoever asks for it, as a snapshot does at its beginning, waits.</summary>
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

    /// <summary>Waits until somebody waits.</summary>
    public Task AskedAsync() => _asked!.Task.WaitAsync(RunningServer.Patience);

    public void Release() => _free!.TrySetResult();
}
