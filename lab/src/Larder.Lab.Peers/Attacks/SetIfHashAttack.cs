namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// Sends operations that each make the server hash a large value. The operations store nothing, because the hash of the stored value differs from the hash in
/// the request.
/// </summary>
internal sealed class SetIfHashAttack : PipelinedAttack
{
    private const int Field = 17;

    /// <inheritdoc/>
    public override string Name => "set-if-hash";

    /// <inheritdoc/>
    public override string Description => $"1,000 pipelined SetIfHash on a value of {AttackItems.LargeBytes:N0} bytes";

    /// <inheritdoc/>
    public override int Operations => 1_000;

    /// <inheritdoc/>
    public override byte[] Operation => ProtoBytes.Operation(
        1,
        Field,
        [
            .. AttackItems.Name("hashed"),
            .. ProtoBytes.Bytes(2, "x"u8),
            .. ProtoBytes.Number(3, AttackItems.TtlMs),
            .. ProtoBytes.Bytes(5, ProtoBytes.Bytes(1, new byte[16])),
        ]);

    /// <inheritdoc/>
    public override Task PrepareAsync(AttackTarget target, CancellationToken stop) =>
        AttackItems.SetAsync(target, "hashed", new byte[AttackItems.LargeBytes], stop);
}
