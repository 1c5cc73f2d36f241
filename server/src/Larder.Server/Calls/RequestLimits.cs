using Larder.Server.Leases;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Calls;

/// <summary>
/// The maximum request size of each unary and server-streaming call, in bytes of its message (LIM-14). A larger request fails with RESOURCE_EXHAUSTED as soon
/// as its length has arrived. For data calls, the limit depends on whether the message contains repeated fields. Every other call must be listed here;
/// otherwise its path cannot be mapped.
/// </summary>
/// <param name="maxItemBytes">The maximum size of a key and its value together, in bytes.</param>
internal sealed class RequestLimits(int maxItemBytes)
{
    /// <summary>The limit of Ping and of the health calls, which need no authentication. The longest service name has 26 bytes.</summary>
    public const int ProbeBytes = 256;

    /// <summary>
    /// The limit of GenerateDisposableToken, which arrives before its token has been checked. A token of 4,096 characters, the permissions of the new token
    /// (3,072 bytes), an ID of 64 characters (256 bytes) and a time are 7,424 bytes plus their tags.
    /// </summary>
    public const int TokenBytes = 8 * 1024;

    /// <summary>The limit of control calls and of Subscribe. A cache name (1,020 bytes) and a topic name (4,096 bytes) are 5,116 bytes.</summary>
    public const int NameBytes = 8 * 1024;

    /// <summary>The limit of ScanKeys, whose request contains a prefix and a cursor.</summary>
    public const int PrefixBytes = 64 * 1024;

    /// <summary>The margin for all parts of a request other than keys and values: tags, numbers, and fields that newer clients send.</summary>
    public const int MarginBytes = 64 * 1024;

    /// <summary>The limit of RemoveByTag. 128 tags of 1,024 bytes, each with a protobuf tag and a length, are 131,456 bytes.</summary>
    public const int TagsBytes = (Store.Cache.MaxTags * (LeaseLimits.MaxTagBytes + 3)) + MarginBytes;

    /// <summary>The limit of Publish. Its request contains one value, a cache name and a topic name.</summary>
    public const int PublishBytes = TopicLimits.MaxMessageBytes + MarginBytes;

    // The size classes of requests.
    private enum Size
    {
        Probe,
        Token,
        Name,
        Prefix,
        Tags,
        Publish,

        // A key, or a key with a value or an element. LIM-1 limits their size.
        Item,

        // An item with its tags.
        TaggedItem,

        // An item and a value to compare the stored value with.
        TwoItems,

        // Many items or elements. Their size is limited only by the maximum message size (LIM-4).
        Many,
    }

    private static readonly Dictionary<string, Size> s_sizes = Table();

    /// <summary>Returns the maximum request size of a call in bytes. The router's own limit (LIM-4) may be lower.</summary>
    /// <exception cref="InvalidOperationException">The path is not in the table.</exception>
    public int Of(string path) => s_sizes.TryGetValue(path, out Size size)
        ? BytesOf(size)
        : throw new InvalidOperationException($"{path} has no maximum request size; add it to {nameof(RequestLimits)}");

    private int BytesOf(Size size) => size switch
    {
        Size.Probe => ProbeBytes,
        Size.Token => TokenBytes,
        Size.Name => NameBytes,
        Size.Prefix => PrefixBytes,
        Size.Tags => TagsBytes,
        Size.Publish => PublishBytes,
        Size.Item => Bounded(maxItemBytes + (long)MarginBytes),
        Size.TaggedItem => Bounded(maxItemBytes + (long)TagsBytes),
        Size.TwoItems => Bounded((2L * maxItemBytes) + MarginBytes),
        _ => int.MaxValue,
    };

    private static int Bounded(long bytes) => (int)Math.Min(bytes, int.MaxValue);

    private static Dictionary<string, Size> Table()
    {
        Dictionary<string, Size> sizes = new(StringComparer.Ordinal);
        Add("cache_client.Ping", Size.Probe, "Ping");
        Add("grpc.health.v1.Health", Size.Probe, "Check", "Watch");
        Add("token.Token", Size.Token, "GenerateDisposableToken");
        Add("control_client.ScsControl", Size.Name, "CreateCache", "DeleteCache", "FlushCache", "ListCaches");
        Add("cache_client.pubsub.Pubsub", Size.Publish, "Publish");
        Add("cache_client.pubsub.Pubsub", Size.Name, "Subscribe");
        Add("larder.v1.Extras", Size.Prefix, "ScanKeys");
        Add("larder.v1.Extras", Size.Item, "ScanItems", "GetOrLease", "ReleaseLease");
        Add("larder.v1.Extras", Size.TaggedItem, "SetWithLease");
        Add("larder.v1.Extras", Size.Tags, "RemoveByTag");
        foreach (CacheCall call in CacheCalls.Single.Concat(CacheCalls.Batches))
        {
            sizes.Add(call.Path, call.Name == "SetIf" ? Size.TwoItems : call.HasList ? Size.Many : Size.Item);
        }

        return sizes;

        void Add(string service, Size size, params ReadOnlySpan<string> rpcs)
        {
            foreach (string rpc in rpcs)
            {
                sizes.Add($"/{service}/{rpc}", size);
            }
        }
    }
}
