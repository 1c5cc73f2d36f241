namespace Larder.Server.Tests.Snapshots;

/// <summary>The system's clock, whose wall time a test can keep back: whoever asks for it, as a snapshot does at its beginning, waits.</summary>
internal sealed class HeldWallClock : TimeProvider
{
    private readonly ManualResetEventSlim _free = new(initialState: true);
    private readonly ManualResetEventSlim _asked = new();

    public override DateTimeOffset GetUtcNow()
    {
        _asked.Set();
        Assert.True(_free.Wait(RunningServer.Patience));
        return base.GetUtcNow();
    }

    public void Hold()
    {
        _asked.Reset();
        _free.Reset();
    }

    /// <summary>Waits until somebody waits.</summary>
    public Task AskedAsync() => Task.Run(() => Assert.True(_asked.Wait(RunningServer.Patience)));

    public void Release() => _free.Set();
}
