// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Server.Calls;

/// <summary>Every data call.</summary>
internal static class CacheCalls
{
    /// <summary>The calls that answer with one message over either transport.</summary>
    public static readonly IReadOnlyList<CacheCall> Single =
    [
        new("Get", "get", 4, GetCall.Run),
        new("Set", "set", 5, SetCall.Run),
        new("Delete", "delete", 6, DeleteCall.Run),
        new("KeysExist", "keys-exist", 8, KeysExistCall.Run),
        new("Increment", "increment", 9, IncrementCall.Run),
        new("SetIf", "set-if", 10, SetIfCall.Run),
        new("UpdateTtl", "update-ttl", 11, UpdateTtlCall.Run),
        new("ItemGetTtl", "item-get-ttl", 12, ItemGetTtlCall.Run),
        new("SetIfNotExists", "set-if-not-exists", 13, SetIfNotExistsCall.Run),
        new("GetWithHash", "get-with-hash", 16, GetWithHashCall.Run),
        new("SetIfHash", "set-if-hash", 17, SetIfHashCall.Run),
        new("ItemGetType", "item-get-type", 18, ItemGetTypeCall.Run),
    ];

    /// <summary>The calls that answer with one message in a pipeline and with a stream over unary.</summary>
    public static readonly IReadOnlyList<CacheCall> Batches =
    [
        new("GetBatch", "get-batch", 14, GetBatchCall.Run),
        new("SetBatch", "set-batch", 15, SetBatchCall.Run),
    ];
}
