namespace Larder.Lab.Peers.Attacks;

/// <summary>Calls invented paths without a token. The audit log must keep the entries that an operator needs.</summary>
internal sealed class AuditNoiseAttack : UnaryFloodAttack
{
    /// <inheritdoc/>
    public override string Name => "audit-noise";

    /// <inheritdoc/>
    public override string Description => "calls to paths that do not exist, without a token";

    /// <inheritdoc/>
    protected override bool HasToken => false;

    /// <inheritdoc/>
    public override string Path(int number) => $"/invented.Service/Call{number}";

    /// <inheritdoc/>
    public override byte[] Request(int number) => [];
}
