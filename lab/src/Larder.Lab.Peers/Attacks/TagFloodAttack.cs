using System.Text;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Removes 128 tags that no item has in each call. The server remembers 262,144 tags.</summary>
internal sealed class TagFloodAttack : UnaryFloodAttack
{
    /// <summary>The number of tags per call, which is the maximum.</summary>
    public const int Tags = 128;

    // 2,046 × 128 tags leave 256 of the tags that the server remembers. With more, only the attacker's own cache would forget its tags, which harms nobody
    // else.
    private const int Calls = 2_046;

    /// <inheritdoc/>
    public override string Name => "tags";

    /// <inheritdoc/>
    public override string Description => $"RemoveByTag of {Tags} tags per call, {Calls * Tags:N0} in total: almost as many as a server remembers";

    /// <inheritdoc/>
    public override string Path(int number) => "/larder.v1.Extras/RemoveByTag";

    /// <inheritdoc/>
    public override byte[] Request(int number) =>
        [.. Enumerable.Range(0, Tags).SelectMany(tag => ProtoBytes.Bytes(1, Encoding.ASCII.GetBytes($"{number % Calls}.{tag}")))];
}
