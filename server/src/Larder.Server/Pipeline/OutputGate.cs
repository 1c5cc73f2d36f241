namespace Larder.Server.Pipeline;

/// <summary>
/// Who has a stream's output: its own loop during a turn, or somebody who answers between turns. A stream has one only where somebody does: a call that
/// fault injection holds back, or what a near stream is told.
/// </summary>
#pragma warning disable CA1001 // Nobody waits on the semaphore's handle, so that it holds nothing; and a late signal may still look at it.
internal sealed class OutputGate
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _free;

    /// <param name="isEntered">Whether it is made by who has the output now.</param>
    public OutputGate(bool isEntered) => _free = new SemaphoreSlim(isEntered ? 0 : 1, 1);

    /// <summary>True while nobody has the output.</summary>
    public bool IsFree => _free.CurrentCount > 0;

    public Task EnterAsync(CancellationToken cancelled) => _free.WaitAsync(cancelled);

    public bool TryEnter() => _free.Wait(0, CancellationToken.None);

    public void Leave() => _free.Release();
}
