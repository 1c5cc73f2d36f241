namespace Larder.Lab.Peers.Topics;

/// <summary>One of the messages that may be under way at a time: published, and not yet with every subscriber.</summary>
internal sealed class TopicLane : IDisposable
{
    private readonly SemaphoreSlim _delivered = new(0);
    private int _remaining;

    public void Begin(int subscribers) => Volatile.Write(ref _remaining, subscribers);

    /// <summary>One subscriber has it.</summary>
    public void Delivered()
    {
        if (Interlocked.Decrement(ref _remaining) == 0)
        {
            _delivered.Release();
        }
    }

    /// <summary>Waits until all have it; false where one has not in time.</summary>
    public Task<bool> WaitAsync(TimeSpan patience) => _delivered.WaitAsync(patience);

    public void Dispose() => _delivered.Dispose();
}
