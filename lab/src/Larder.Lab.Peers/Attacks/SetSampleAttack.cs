namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends operations that each sample random elements of a set. A token with the role read is enough.</summary>
internal sealed class SetSampleAttack : PipelinedAttack
{
    /// <summary>The number of elements of the set.</summary>
    public const int Elements = 50_000;

    /// <summary>The number of elements that each operation samples. The result stays below 64 KB, the limit of a pipelined result.</summary>
    public const int Limit = 6_000;

    private const int Field = 26;

    /// <inheritdoc/>
    public override string Name => "set-sample";

    /// <inheritdoc/>
    public override string Description => $"10,000 pipelined SetSample calls with a read-only token; each requests {Limit:N0} of the {Elements:N0} elements";

    /// <inheritdoc/>
    public override int Operations => 10_000;

    /// <inheritdoc/>
    public override bool ReadsOnly => true;

    /// <inheritdoc/>
    public override byte[] Operation => ProtoBytes.Operation(1, Field, [.. AttackItems.Name("set"), .. ProtoBytes.Number(2, Limit)]);

    /// <inheritdoc/>
    public override Task PrepareAsync(AttackTarget target, CancellationToken stop) => AttackItems.SetOfAsync(target, "set", Elements, stop);
}
