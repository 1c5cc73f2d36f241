namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends a unary request that is small on the wire but needs much memory once it is parsed.</summary>
internal abstract class LargeRequestAttack : IServerAttack
{
    /// <summary>The size of a request: just below the maximum message size of 11,010,048 bytes.</summary>
    public const int RequestBytes = 10_900_000;

    private readonly Lazy<byte[]> _framed;

    /// <summary>Creates an attack whose request is built once.</summary>
    protected LargeRequestAttack() => _framed = new Lazy<byte[]>(() => ProtoBytes.Framed(Request()));

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public abstract string Description { get; }

    /// <inheritdoc/>
    public bool FillsStore => true;

    /// <summary>Gets the path of the call.</summary>
    public abstract string Path { get; }

    /// <summary>Builds the request.</summary>
    public abstract byte[] Request();

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        byte[] block = HeaderBlock.Of(Path, isSecure: false, ("cache", target.Cache), ("authorization", target.Reader));
        AttackStream stream = await connection.CallAsync(block, _framed.Value, stop).ConfigureAwait(false);
        counts.AddRequests(1);
        await stream.Ended.WaitAsync(stop).ConfigureAwait(false);
    }
}
