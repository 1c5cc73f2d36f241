namespace Larder.Lab.Peers.Attacks;

/// <summary>One call of an <see cref="AttackConnection"/>, whose lock guards it.</summary>
internal sealed class AttackStream(int id, long window)
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Its number.</summary>
    public int Id => id;

    /// <summary>Bytes that the server takes now.</summary>
    public long Window { get; set; } = window;

    /// <summary>Whether any data has arrived.</summary>
    public bool HasData { get; set; }

    /// <summary>Its end: true if it was refused, that is, ended without data.</summary>
    public Task<bool> Ended => _ended.Task;

    /// <summary>Ends it.</summary>
    public void End(bool isRefused) => _ended.TrySetResult(isRefused);
}
