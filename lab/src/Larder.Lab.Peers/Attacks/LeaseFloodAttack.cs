namespace Larder.Lab.Peers.Attacks;

/// <summary>Takes a lease of ten minutes on one key after another. The server's pool has 65,536 leases.</summary>
internal sealed class LeaseFloodAttack : UnaryFloodAttack
{
    private const ulong LeaseMs = 600_000;

    /// <inheritdoc/>
    public override string Name => "leases";

    /// <inheritdoc/>
    public override string Description => "GetOrLease with a new key in each call; each lease lasts ten minutes";

    /// <inheritdoc/>
    public override string Path(int number) => "/larder.v1.Extras/GetOrLease";

    /// <inheritdoc/>
    public override byte[] Request(int number) => [.. AttackItems.Name($"lease-{number}"), .. ProtoBytes.Number(2, LeaseMs)];
}
