using System.Text;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Removes 128 tags in each call. No item has any of these tags. The server remembers 262,144 removed tags.</summary>
internal sealed class TagFloodAttack : UnaryFloodAttack
{
    /// <summary>The number of tags per call, which is the maximum.</summary>
    public const int Tags = 128;

    // The number of calls. With 128 tags each, they leave space for 256 other tags among the removed tags that the server remembers. With more calls, the
    // server would only forget tags of the attacker's own cache, which does not affect other tenants.
    private const int Calls = 2_046;

    /// <inheritdoc/>
    public override string Name => "tags";

    /// <inheritdoc/>
    public override string Description =>
        $"RemoveByTag of {Tags} tags per call and {Calls * Tags:N0} tags in total, slightly fewer than the number of removed tags that a server remembers";

    /// <inheritdoc/>
    public override string Path(int number) => "/larder.v1.Extras/RemoveByTag";

    /// <inheritdoc/>
    public override byte[] Request(int number) =>
        [.. Enumerable.Range(0, Tags).SelectMany(tag => ProtoBytes.Bytes(1, Encoding.ASCII.GetBytes($"{number % Calls}.{tag}")))];
}
