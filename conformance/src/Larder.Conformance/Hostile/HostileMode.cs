namespace Larder.Conformance.Hostile;

/// <summary>
/// One kind of hostile behaviour: what is sent when a client connects, when the headers of a call arrive, and when its message arrives.
/// </summary>
/// <param name="Name">The name in test output.</param>
internal sealed record HostileMode(string Name)
{
    /// <summary>A valid SETTINGS frame: 100 streams, a window of 1 MB.</summary>
    public static readonly byte[] GoodSettings = HostileFrame.SettingsOf((3, 100), (4, 1 << 20));

    /// <summary>Gets what is sent on connecting, before anything is read.</summary>
    public Func<HostilePeer, Task> OnConnect { get; init; } = peer => peer.SendAsync(GoodSettings);

    /// <summary>Gets what is sent when the headers of a call have arrived.</summary>
    public Func<HostilePeer, int, Task> OnHeaders { get; init; } = (_, _) => Task.CompletedTask;

    /// <summary>Gets what is sent when DATA has arrived, given the stream and its payload.</summary>
    public Func<HostilePeer, int, byte[], Task> OnData { get; init; } = (_, _, _) => Task.CompletedTask;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
