namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends operations that each compare a million list elements with a value that the list does not contain.</summary>
internal sealed class ListRemoveAttack : PipelinedAttack
{
    /// <summary>The number of elements of the list.</summary>
    public const int Elements = 1_000_000;

    private const int Field = 40;

    /// <inheritdoc/>
    public override string Name => "list-remove";

    /// <inheritdoc/>
    public override string Description => $"300 pipelined ListRemove of a missing value from {Elements:N0} elements";

    /// <inheritdoc/>
    public override int Operations => 300;

    /// <inheritdoc/>
    public override byte[] Operation => ProtoBytes.Operation(1, Field, [.. AttackItems.Name("list"), .. ProtoBytes.Bytes(2, "absent"u8)]);

    /// <inheritdoc/>
    public override Task PrepareAsync(AttackTarget target, CancellationToken stop) => AttackItems.ListAsync(target, "list", Elements, stop);
}
