namespace Larder.Conformance.Hostile;

/// <summary>One way of being hostile: what is sent when a client connects, when a call's headers come, and when its message comes.</summary>
/// <param name="Name">What a failing test prints.</param>
internal sealed record HostileMode(string Name)
{
    /// <summary>SETTINGS as a good server sends them: 100 streams, a window of a megabyte.</summary>
    public static readonly byte[] GoodSettings = HostileFrame.SettingsOf((3, 100), (4, 1 << 20));

    /// <summary>Sent on connecting, before anything is read.</summary>
    public Func<HostilePeer, Task> OnConnect { get; init; } = peer => peer.SendAsync(GoodSettings);

    /// <summary>Sent when a call's headers have arrived.</summary>
    public Func<HostilePeer, int, Task> OnHeaders { get; init; } = (_, _) => Task.CompletedTask;

    /// <summary>Sent when DATA has arrived: the stream and what it carried.</summary>
    public Func<HostilePeer, int, byte[], Task> OnData { get; init; } = (_, _, _) => Task.CompletedTask;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
