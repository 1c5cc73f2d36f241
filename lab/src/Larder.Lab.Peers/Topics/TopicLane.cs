namespace Larder.Lab.Peers.Topics;

/// <summary>A slot for one message in flight, which is published but not yet delivered to every subscriber.</summary>
internal sealed class TopicLane : IDisposable
{
    private readonly SemaphoreSlim _delivered = new(0);
    private int _remaining;

    public void Begin(int subscribers) => Volatile.Write(ref _remaining, subscribers);

    /// <summary>Records the delivery to one subscriber.</summary>
    public void Delivered()
    {
        if (Interlocked.Decrement(ref _remaining) == 0)
        {
            _delivered.Release();
        }
    }

    /// <summary>Waits until all subscribers have the message; returns false on timeout.</summary>
    public Task<bool> WaitAsync(TimeSpan patience) => _delivered.WaitAsync(patience);

    public void Dispose() => _delivered.Dispose();
}
