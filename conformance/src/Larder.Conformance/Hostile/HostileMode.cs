namespace Larder.Conformance.Hostile;

/// <summary>One kind of hostile behaviour: what is sent when a client connects, when the headers of a call arrive, and when its message arrives.</summary>
/// <param name="Name">The name of the mode in test output.</param>
internal sealed record HostileMode(string Name)
{
    /// <summary>A valid SETTINGS frame, with a limit of 100 streams and a window of 1 MB.</summary>
    public static readonly byte[] GoodSettings = HostileFrame.SettingsOf((3, 100), (4, 1 << 20));

    /// <summary>Gets the function that sends data when a client has connected, before anything is read.</summary>
    public Func<HostilePeer, Task> OnConnect { get; init; } = peer => peer.SendAsync(GoodSettings);

    /// <summary>Gets the function that sends data when the headers of a call have arrived.</summary>
    public Func<HostilePeer, int, Task> OnHeaders { get; init; } = (_, _) => Task.CompletedTask;

    /// <summary>Gets the function that sends data when a DATA frame has arrived. Its arguments include the stream and the payload of the frame.</summary>
    public Func<HostilePeer, int, byte[], Task> OnData { get; init; } = (_, _, _) => Task.CompletedTask;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
