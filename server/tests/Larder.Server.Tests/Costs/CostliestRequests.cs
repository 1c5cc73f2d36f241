using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Security;

namespace Larder.Server.Tests.Costs;

/// <summary>
/// The costliest legal request of every rpc in the table of operations, by path. Collections are smaller than the limits allow, so that running all rpcs takes
/// only a minute. Values and requests have the maximum size.
/// </summary>
internal static partial class CostliestRequests
{
    /// <summary>The token that calls carry if the server requires one.</summary>
    public const string Issuer = "ops";

    // The cache that control calls create, flush and delete. The neighbour uses another cache.
    private const string Other = "costly";

    private const string Scs = "/cache_client.Scs/";
    private const string Control = "/control_client.ScsControl/";
    private const string Extras = "/larder.v1.Extras/";

    private const ulong TtlMs = 3_600_000;

    // An item is limited to 5,000,192 bytes, including its key.
    private const int LargeBytes = 4_990_000;

    // At 16 bytes each, the elements fill a fifth of the largest request.
    private const int Elements = 20_000;

    // The responses to a batch of these values fill the largest message.
    private const int BatchItems = 1_000;
    private const int BatchValueBytes = 4_000;

    private static readonly ByteString s_large = ByteString.CopyFrom(new byte[LargeBytes]);
    private static readonly ByteString s_largeButLast = ByteString.CopyFrom([.. new byte[LargeBytes - 1], 1]);
    private static readonly ByteString s_batchValue = ByteString.CopyFrom(new byte[BatchValueBytes]);
    private static readonly ByteString[] s_elements = [.. Enumerable.Range(0, Elements).Select(static number => Bytes($"element-{number:D8}"))];
    private static readonly (string, IMessage) s_largeItem = (Scs + "Set", new SetRequest { Key = Bytes("large"), Value = s_large, TtlMs = TtlMs });
    private static readonly (string, IMessage) s_dictionary = (Scs + "DictionarySet", DictionarySet());
    private static readonly (string, IMessage) s_set =
        (Scs + "SetUnion", new SetUnionRequest { Name = Bytes("set"), Elements = { s_elements }, TtlMs = TtlMs });
    private static readonly (string, IMessage) s_list = (Scs + "ListConcatenateBack", new ListConcatenateBackRequest
    {
        Name = Bytes("list"),
        Values = { s_elements },
        TtlMs = TtlMs,
        TruncateFrontToSize = Elements,
    });
    private static readonly (string, IMessage) s_sortedSet = (Scs + "SortedSetPut", SortedSetPut());
    // Must be the last field: its initializer reads the other fields, and static fields are initialized in textual order.
    private static readonly Dictionary<string, CostliestCall> s_all = Create();

    /// <summary>The paths that have a request.</summary>
    public static IEnumerable<string> Paths => s_all.Keys;

    /// <summary>Returns the costliest request of a path.</summary>
    public static CostliestCall Of(string path) => s_all.TryGetValue(path, out CostliestCall? call)
        ? call
        : throw new InvalidOperationException($"{path} has no costliest request: add one to {nameof(CostliestRequests)}");

    private static Dictionary<string, CostliestCall> Create()
    {
        Dictionary<string, CostliestCall> all = [];
        AddItems(all);
        AddDictionaries(all);
        AddSets(all);
        AddLists(all);
        AddSortedSets(all);
        AddControl(all);
        AddExtras(all);
        AddTopics(all);
        return all;
    }

    private static void AddItems(Dictionary<string, CostliestCall> all)
    {
        ByteString key = Bytes("large");
        all[Scs + "Get"] = new(new GetRequest { Key = key }, "Hit") { Before = [s_largeItem], PipelinedOutcome = CostliestCall.UseUnary };
        all[Scs + "Set"] = new(s_largeItem.Item2, "Ok");
        all[Scs + "Delete"] = new(new DeleteRequest { Key = Bytes("list") }) { Before = [s_list] };
        IncrementRequest increment = new() { Key = Bytes("number"), Amount = long.MaxValue, TtlMs = TtlMs };
        all[Scs + "Increment"] = new(increment) { Before = [(Scs + "Delete", new DeleteRequest { Key = Bytes("number") })] };
        all[Scs + "ItemGetTtl"] = new(new ItemGetTtlRequest { Key = key }, "found") { Before = [s_largeItem] };
        all[Scs + "ItemGetType"] = new(new ItemGetTypeRequest { Key = key }, "found") { Before = [s_largeItem] };
        all[Scs + "UpdateTtl"] = new(new UpdateTtlRequest { Key = key, OverwriteToMs = TtlMs }, "set") { Before = [s_largeItem] };
        ByteString prefix = ByteString.CopyFrom(s_large.Span[..64]);
        all[Scs + "UpdateTtlIfPrefix"] = new(new UpdateTtlIfPrefixRequest { Key = key, Prefix = prefix, TtlMs = TtlMs }, "set") { Before = [s_largeItem] };
        all[Scs + "GetWithHash"] = new(new GetWithHashRequest { Key = key }, "found")
        {
            Before = [s_largeItem],
            PipelinedOutcome = CostliestCall.UseUnary,
        };
        // The values differ only in their last byte, so that a comparison must read the whole value.
        SetIfRequest setIf = new() { Key = key, Value = s_large, TtlMs = TtlMs, NotEqual = new Comparand { Value = s_largeButLast } };
        all[Scs + "SetIf"] = new(setIf, "stored") { Before = [s_largeItem] };
        all[Scs + "SetIfNotExists"] = new(new SetIfNotExistsRequest { Key = key, Value = s_large, TtlMs = TtlMs }, "stored")
        {
            Before = [(Scs + "Delete", new DeleteRequest { Key = key })],
        };
        SetIfHashRequest setIfHash = new()
        {
            Key = key,
            Value = Bytes("x"),
            TtlMs = TtlMs,
            PresentAndHashEqual = new HashComparand { Hash = ByteString.CopyFrom(new byte[16]) },
        };
        all[Scs + "SetIfHash"] = new(setIfHash, "not_stored") { Before = [s_largeItem], Repeats = 200 };
        AddBatches(all);
    }

    private static void AddBatches(Dictionary<string, CostliestCall> all)
    {
        SetBatchRequest sets = new();
        sets.Items.AddRange(Enumerable.Range(0, BatchItems)
            .Select(static number => new SetRequest { Key = Bytes($"batch-{number}"), Value = s_batchValue, TtlMs = TtlMs }));
        GetBatchRequest gets = new();
        gets.Items.AddRange(sets.Items.Select(static item => new GetRequest { Key = item.Key }));
        KeysExistRequest exist = new();
        exist.Keys.AddRange(s_elements);
        all[Scs + "SetBatch"] = new(sets, "Ok") { PipelinedOutcome = CostliestCall.Done };
        all[Scs + "GetBatch"] = new(gets, "Hit") { Before = [(Scs + "SetBatch", sets)], PipelinedOutcome = CostliestCall.UseUnary };
        all[Scs + "KeysExist"] = new(exist);
    }

    private static void AddControl(Dictionary<string, CostliestCall> all)
    {
        (string, IMessage) create = (Control + "CreateCache", new CreateCacheRequest { Name = Other });
        (string, IMessage) delete = (Control + "DeleteCache", new DeleteCacheRequest { Name = Other });
        all[Control + "CreateCache"] = new(create.Item2) { Before = [delete] };
        all[Control + "DeleteCache"] = new(delete.Item2) { Before = [create] };
        all[Control + "FlushCache"] = new(new FlushCacheRequest { Name = Other }) { Before = [create] };
        all[Control + "ListCaches"] = new(new ListCachesRequest()) { Before = [create] };
        all["/cache_client.Ping/Ping"] = new(new PingRequest());
        all["/token.Token/GenerateDisposableToken"] = new(new GenerateDisposableTokenRequest
        {
            AuthToken = TokensOnDisk.SecretOf(Issuer),
            Expires = new DisposableTokenExpires { ValidForSeconds = 60 },
            Permissions = PermissionsOf.Many(100),
        });
    }

    private static void AddExtras(Dictionary<string, CostliestCall> all)
    {
        ByteString key = Bytes("large");
        ByteString[] tags = [.. Enumerable.Range(0, 128).Select(static number => Bytes($"{number}".PadLeft(1_024, 't')))];
        SetWithLeaseRequest set = new() { Key = key, Value = s_large, TtlMs = TtlMs, StaleMs = 1, Tags = { tags.AsSpan(0, 8).ToArray() }, Validator = tags[0] };
        all[Extras + "ScanKeys"] = new(new ScanKeysRequest { Count = uint.MaxValue }) { Before = [s_list, s_largeItem] };
        all[Extras + "ScanItems"] = new(new ScanItemsRequest { Name = Bytes("list"), Count = uint.MaxValue }, "list") { Before = [s_list] };
        all[Extras + "GetOrLease"] = new(new GetOrLeaseRequest { Key = key, LeaseMs = 1_000 }, "hit") { Before = [s_largeItem] };
        all[Extras + "SetWithLease"] = new(set, "stored");
        all[Extras + "ReleaseLease"] = new(new ReleaseLeaseRequest { Key = key, Token = ByteString.CopyFrom(new byte[16]) });
        all[Extras + "RemoveByTag"] = new(new RemoveByTagRequest { Tags = { tags } });
    }

    private static void AddTopics(Dictionary<string, CostliestCall> all)
    {
        // A message is limited to 1 MiB, including its topic.
        TopicValue value = new() { Binary = ByteString.CopyFrom(new byte[1_000_000]) };
        PublishRequest publish = new() { CacheName = RunningServer.Cache, Topic = new string('t', 1_000), Value = value };
        all["/cache_client.pubsub.Pubsub/Publish"] = new(publish);
        all["/cache_client.pubsub.Pubsub/Subscribe"] = new(
            // A subscriber that resumes without the page of the topic receives a discontinuity before the messages.
            new SubscribeRequest { CacheName = publish.CacheName, Topic = publish.Topic, ResumeAtTopicSequenceNumber = 1 },
            "discontinuity")
        {
            Before = [("/cache_client.pubsub.Pubsub/Publish", publish)],
        };
    }

    private static ByteString Bytes(string text) => CallHarness.Bytes(text);
}
