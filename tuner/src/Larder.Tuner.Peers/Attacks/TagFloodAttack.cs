using System.Text;

namespace Larder.Tuner.Peers.Attacks;

/// <summary>Removes 128 tags that nothing has in each call: the server remembers 262,144.</summary>
internal sealed class TagFloodAttack : UnaryFloodAttack
{
    /// <summary>Tags of a call: the most that it takes.</summary>
    public const int Tags = 128;

    /// <inheritdoc/>
    public override string Name => "tags";

    /// <inheritdoc/>
    public override string Description => $"RemoveByTag of {Tags} new tags each time";

    /// <inheritdoc/>
    public override string Path(int number) => "/larder.v1.Extras/RemoveByTag";

    /// <inheritdoc/>
    public override byte[] Request(int number) =>
        [.. Enumerable.Range(0, Tags).SelectMany(tag => ProtoBytes.Bytes(1, Encoding.ASCII.GetBytes($"{number}.{tag}")))];
}
