namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends eight operations in a message of less than 1 KB. They cause seconds of work.</summary>
internal sealed class UnionStoreAttack : PipelinedAttack
{
    /// <summary>The number of elements of the sorted set.</summary>
    public const int Elements = 200_000;

    private const int Field = 51;

    /// <inheritdoc/>
    public override string Name => "union-store";

    /// <inheritdoc/>
    public override string Description => $"8 pipelined SortedSetUnionStore of three sources of {Elements:N0} members each";

    /// <inheritdoc/>
    public override int Operations => 8;

    /// <inheritdoc/>
    public override byte[] Operation => ProtoBytes.Operation(
        1,
        Field,
        [.. AttackItems.Name("union"), .. ProtoBytes.Repeat(Source, 3), .. ProtoBytes.Number(4, AttackItems.TtlMs)]);

    private static byte[] Source => ProtoBytes.Bytes(2, [.. AttackItems.Name("sorted-set"), .. ProtoBytes.Float(2, 1)]);

    /// <inheritdoc/>
    public override Task PrepareAsync(AttackTarget target, CancellationToken stop) => AttackItems.SortedSetAsync(target, "sorted-set", Elements, stop);
}
