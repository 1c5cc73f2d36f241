namespace Larder.Lab.Peers.Attacks;

/// <summary>Makes small unary calls, each with a different request. The number of concurrent calls is close to the maximum for a connection.</summary>
internal abstract class UnaryFloodAttack : IServerAttack
{
    /// <summary>The number of concurrent calls, below the 100 streams that a server allows.</summary>
    private const int AtOnce = 90;

    // The number of rounds of calls after which the attack opens a new connection.
    private const int MaxRounds = 100;

    private int _next;

    /// <inheritdoc/>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public abstract string Description { get; }

    /// <summary>Gets whether the calls are sent with the attacker's token.</summary>
    protected virtual bool HasToken => true;

    /// <summary>Returns the path of a call. An attack may use a different path for each number.</summary>
    public abstract string Path(int number);

    /// <summary>Returns the request of a call. The numbers of calls start at 0.</summary>
    public abstract byte[] Request(int number);

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        var streams = new AttackStream[AtOnce];
        for (int round = 0; round < MaxRounds; round++)
        {
            for (int call = 0; call < streams.Length; call++)
            {
                int number = Interlocked.Increment(ref _next) - 1;
                byte[] block = HeaderBlock.Of(Path(number), isSecure: false, ("cache", target.Cache), ("authorization", HasToken ? target.Token : ""));
                streams[call] = await connection.CallAsync(block, ProtoBytes.Framed(Request(number)), stop).ConfigureAwait(false);
            }

            counts.AddRequests(streams.Length);
            await Task.WhenAll(streams.Select(stream => stream.Ended)).WaitAsync(stop).ConfigureAwait(false);
        }
    }
}
