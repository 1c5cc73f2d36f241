namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends one pipelined message of expensive operations and soon closes the connection. The server must then stop processing the operations.</summary>
internal abstract class PipelinedAttack : IServerAttack
{
    /// <summary>The path of the pipeline.</summary>
    public const string Path = "/larder.v1.Pipeline/Run";

    /// <summary>The time for which a connection stays open. Two attackers therefore send two messages per second in total.</summary>
    private static readonly TimeSpan s_stay = TimeSpan.FromSeconds(1);

    private readonly Lazy<byte[]> _message;

    /// <summary>Creates an attack whose message is built once.</summary>
    protected PipelinedAttack() => _message = new Lazy<byte[]>(() => ProtoBytes.Framed(ProtoBytes.Repeat(Operation, Operations)));

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public abstract string Description { get; }

    /// <summary>Gets one encoded operation.</summary>
    public abstract byte[] Operation { get; }

    /// <summary>Gets the number of operations in a message.</summary>
    public abstract int Operations { get; }

    /// <summary>Gets the message, with gRPC's prefix.</summary>
    public byte[] Message => _message.Value;

    /// <summary>Gets whether a token with the role read is enough.</summary>
    public virtual bool ReadsOnly => false;

    /// <inheritdoc/>
    public virtual Task PrepareAsync(AttackTarget target, CancellationToken stop) => Task.CompletedTask;

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        byte[] block = HeaderBlock.Of(Path, isSecure: false, ("cache", target.Cache), ("authorization", ReadsOnly ? target.Reader : target.Token));
        AttackStream stream = await connection.CallAsync(block, stop).ConfigureAwait(false);
        if (await connection.SendAsync(stream, Message, isEnd: false, stop).ConfigureAwait(false))
        {
            counts.AddRequests(Operations);
        }

        await Task.Delay(s_stay, stop).ConfigureAwait(false);
    }
}
