namespace Larder.Lab.Peers.Attacks;

/// <summary>Removes a tag that no item has. The near caches of other tenants must keep their copies.</summary>
internal sealed class NearClearAttack : UnaryFloodAttack
{
    /// <inheritdoc/>
    public override string Name => "near-clears";

    /// <inheritdoc/>
    public override string Description => "repeated RemoveByTag of one unknown tag";

    /// <inheritdoc/>
    public override string Path(int number) => "/larder.v1.Extras/RemoveByTag";

    /// <inheritdoc/>
    public override byte[] Request(int number) => ProtoBytes.Bytes(1, "nothing has this tag"u8);
}
