// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Server.Fleet;

/// <summary>What a front does of each data call, by the call's name.</summary>
internal static class RemoteCallTable
{
    public static readonly IReadOnlyDictionary<string, RemoteCall> ByName =
        new Dictionary<string, RemoteCall>(StringComparer.Ordinal)
        {
            ["Get"] = new RemoteGet(),
            ["Set"] = new RemoteSet(),
            ["Delete"] = new RemoteDelete(),
            ["KeysExist"] = new RemoteKeysExist(),
            ["Increment"] = new RemoteIncrement(),
            ["SetIf"] = new RemoteSetIf(),
            ["UpdateTtl"] = new RemoteUpdateTtl(),
            ["ItemGetTtl"] = new RemoteItemGetTtl(),
            ["SetIfNotExists"] = new RemoteSetIfNotExists(),
            ["GetBatch"] = new RemoteGetBatch(),
            ["SetBatch"] = new RemoteSetBatch(),
            ["GetWithHash"] = new RemoteGetWithHash(),
            ["SetIfHash"] = new RemoteSetIfHash(),
            ["ItemGetType"] = new RemoteItemGetType(),
        };
}
