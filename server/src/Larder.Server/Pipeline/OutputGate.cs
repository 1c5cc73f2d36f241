namespace Larder.Server.Pipeline;

/// <summary>
/// A lock for the output of a stream. The loop of the stream holds the lock during a turn, that is, while it processes the result of one read. Other senders
/// hold it between turns. The lock is created only for streams with other senders: calls that fault injection delays, long-running calls, and near-cache
/// notifications.
/// </summary>
#pragma warning disable CA1001 // The semaphore's wait handle is never created, so there is nothing to dispose. A late signal may still access the semaphore.
internal sealed class OutputGate
#pragma warning restore CA1001
{
    private readonly SemaphoreSlim _free;

    /// <param name="isEntered">Whether the creator already holds the gate.</param>
    public OutputGate(bool isEntered) => _free = new SemaphoreSlim(isEntered ? 0 : 1, 1);

    /// <summary>Gets whether no thread holds the gate.</summary>
    public bool IsFree => _free.CurrentCount > 0;

    public Task EnterAsync(CancellationToken cancelled) => _free.WaitAsync(cancelled);

    public bool TryEnter() => _free.Wait(0, CancellationToken.None);

    public void Leave() => _free.Release();
}
