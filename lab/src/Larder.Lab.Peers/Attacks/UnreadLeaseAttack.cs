namespace Larder.Lab.Peers.Attacks;

/// <summary>Requests a large value on 100 streams and reads none of the responses. The unread responses must not use the buffers of other callers.</summary>
internal sealed class UnreadLeaseAttack : IServerAttack
{
    /// <summary>The number of calls per connection. It is the maximum number of streams that a server allows on a connection.</summary>
    public const int Calls = 100;

    private const string Key = "unread";

    // The time after which the attack replaces its connection. The server would close a connection whose client does not read, but only after about 30 s.
    private static readonly TimeSpan s_stay = TimeSpan.FromSeconds(5);

    /// <inheritdoc/>
    public string Name => "unread-leases";

    /// <inheritdoc/>
    public string Description => $"{Calls} GetOrLease calls on each connection for a value of {AttackItems.LargeBytes:N0} bytes; the responses are never read";

    /// <summary>Gets the encoded request.</summary>
    public static byte[] Request => [.. AttackItems.Name(Key), .. ProtoBytes.Number(2, 1_000)];

    /// <inheritdoc/>
    public Task PrepareAsync(AttackTarget target, CancellationToken stop) => AttackItems.SetAsync(target, Key, new byte[AttackItems.LargeBytes], stop);

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.FirstWindow, stop).ConfigureAwait(false);
        byte[] block = HeaderBlock.Of("/larder.v1.Extras/GetOrLease", isSecure: false, ("cache", target.Cache), ("authorization", target.Token));
        for (int call = 0; call < Calls; call++)
        {
            await connection.CallAsync(block, ProtoBytes.Framed(Request), stop).ConfigureAwait(false);
        }

        counts.AddRequests(Calls);
        await Task.Delay(s_stay, stop).ConfigureAwait(false);
    }
}
