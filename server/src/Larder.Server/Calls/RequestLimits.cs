using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Leases;
using TopicLimits = Larder.Server.Topics.TopicLimits;

namespace Larder.Server.Calls;

/// <summary>
/// The largest request of each unary and server-streaming call, in bytes of its message (LIM-14). A larger one is refused with RESOURCE_EXHAUSTED as soon as
/// its length has arrived. A data call's follows from its message: whether anything in it repeats. Another path that is missing here cannot be mapped.
/// </summary>
/// <param name="maxItemBytes">The largest key and value together.</param>
internal sealed class RequestLimits(int maxItemBytes)
{
    /// <summary>Ping and health, which anyone may call: the longest name of a service has 26 bytes.</summary>
    public const int ProbeBytes = 256;

    /// <summary>
    /// GenerateDisposableToken, which is called before its token is known: a token of 4,096 characters, the permissions of another (3,072 bytes), an id of 64
    /// characters (256 bytes) and a time are 7,424 bytes and their tags.
    /// </summary>
    public const int TokenBytes = 8 * 1024;

    /// <summary>Control calls and Subscribe: a cache's name (1,020 bytes) and a topic's (4,096) are 5,116 bytes.</summary>
    public const int NameBytes = 8 * 1024;

    /// <summary>ScanKeys: a prefix and a cursor.</summary>
    public const int PrefixBytes = 64 * 1024;

    /// <summary>What a request may have beside the keys and values that its limit is made of: tags, numbers, and fields that a newer client sends.</summary>
    public const int MarginBytes = 64 * 1024;

    /// <summary>RemoveByTag: 128 tags of 1,024 bytes, each with a tag and a length, are 131,456 bytes.</summary>
    public const int TagsBytes = (Store.Cache.MaxTags * (LeaseLimits.MaxTagBytes + 3)) + MarginBytes;

    /// <summary>Publish: one value, and names.</summary>
    public const int PublishBytes = TopicLimits.MaxMessageBytes + MarginBytes;

    // What one request has of items.
    private enum Size
    {
        Probe,
        Token,
        Name,
        Prefix,
        Tags,
        Publish,

        // A key, or a key and a value or an element: LIM-1.
        Item,

        // An item with its tags.
        TaggedItem,

        // An item and a value that is compared with.
        TwoItems,

        // Many items or elements: what any message may have, LIM-4.
        Many,
    }

    private static readonly Dictionary<string, Size> s_sizes = Table();

    /// <summary>Returns the largest request of a call, in bytes; the router's own limit (LIM-4) may be lower.</summary>
    /// <exception cref="InvalidOperationException">The path has no row.</exception>
    public int Of(string path) => s_sizes.TryGetValue(path, out Size size)
        ? BytesOf(size)
        : throw new InvalidOperationException($"{path} has no largest request; add it to {nameof(RequestLimits)}");

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
        foreach (MethodDescriptor method in CacheReflection.Descriptor.Services.Single(static service => service.Name == "Scs").Methods)
        {
            Add("cache_client.Scs", method.Name == "SetIf" ? Size.TwoItems : HasRepeated(method.InputType) ? Size.Many : Size.Item, method.Name);
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

    private static bool HasRepeated(MessageDescriptor message) => message.Fields.InDeclarationOrder()
        .Any(static field => field.IsRepeated || (field.FieldType == FieldType.Message && HasRepeated(field.MessageType)));
}
