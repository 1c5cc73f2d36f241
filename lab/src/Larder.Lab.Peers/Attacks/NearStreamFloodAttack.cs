namespace Larder.Lab.Peers.Attacks;

/// <summary>Opens 64 near streams on each connection and keeps them open. The server allows 5,000 by default.</summary>
internal sealed class NearStreamFloodAttack : IServerAttack
{
    /// <summary>The number of near streams per connection.</summary>
    public const int Streams = 64;

    private const int OpenField = 80, RenewField = 81;

    // The interval of renewals. A lease lasts 3 s.
    private static readonly TimeSpan s_renewal = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    public string Name => "near-streams";

    /// <inheritdoc/>
    public string Description => $"{Streams} near streams on each connection, kept open";

    /// <summary>Gets the message that opens a near stream, with gRPC's prefix.</summary>
    public static byte[] Open => ProtoBytes.Framed(ProtoBytes.Operation(1, OpenField, []));

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        byte[] block = HeaderBlock.Of(PipelinedAttack.Path, isSecure: false, ("cache", target.Cache), ("authorization", target.Token));
        byte[] renewal = ProtoBytes.Framed(ProtoBytes.Operation(2, RenewField, []));
        var streams = new List<AttackStream>();
        for (int count = 0; count < Streams; count++)
        {
            AttackStream stream = await connection.CallAsync(block, stop).ConfigureAwait(false);
            _ = await connection.SendAsync(stream, Open, isEnd: false, stop).ConfigureAwait(false);
            streams.Add(stream);
        }

        counts.AddRequests(Streams);
        while (streams.Exists(stream => !stream.Ended.IsCompleted))
        {
            await Task.Delay(s_renewal, stop).ConfigureAwait(false);
            foreach (AttackStream stream in streams)
            {
                _ = await connection.SendAsync(stream, renewal, isEnd: false, stop).ConfigureAwait(false);
            }
        }
    }
}
