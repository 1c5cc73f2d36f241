namespace Larder.Lab.Peers.Attacks;

/// <summary>One call of an <see cref="AttackConnection"/>. The lock of the connection guards all members.</summary>
internal sealed class AttackStream(int id, long window)
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets the stream id.</summary>
    public int Id => id;

    /// <summary>Gets or sets the send window of the stream: the number of bytes that the server currently accepts.</summary>
    public long Window { get; set; } = window;

    /// <summary>Gets or sets whether any data has arrived.</summary>
    public bool HasData { get; set; }

    /// <summary>
    /// Gets a task that completes when the stream ends. The result is true if the server refused the stream, which means that the stream ended without data.
    /// </summary>
    public Task<bool> Ended => _ended.Task;

    /// <summary>Marks the stream as ended.</summary>
    public void End(bool isRefused) => _ended.TrySetResult(isRefused);
}
