namespace Larder.Lab.Peers.Attacks;

/// <summary>One call of an <see cref="AttackConnection"/>, whose lock guards it.</summary>
internal sealed class AttackStream(int id, long window)
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets the stream id.</summary>
    public int Id => id;

    /// <summary>Gets or sets the number of bytes that the server currently accepts.</summary>
    public long Window { get; set; } = window;

    /// <summary>Gets or sets whether any data has arrived.</summary>
    public bool HasData { get; set; }

    /// <summary>Gets a task for the end of the stream; its result is true if the stream was refused, which means that it ended without data.</summary>
    public Task<bool> Ended => _ended.Task;

    /// <summary>Marks the stream as ended.</summary>
    public void End(bool isRefused) => _ended.TrySetResult(isRefused);
}
